/**
 * Totals of records per entity, maintained by the statements that write them: counting a million records takes a
 * hundred times as long as reading a page.
 */
import { type Expression, expressionBuilder, sql } from 'kysely';
import type { AnyQuery, AnyTables } from '../../../resources/compiled-statements.ts';
import type { EntityModel } from '../entities/index.ts';

/** Rows over which a total is spread, so that concurrent writers rarely wait for each other. */
const SLOTS = 16;

/** A statement on one entity, before the part that counts is added. */
interface Counting {
  readonly query: AnyQuery;
  readonly model: EntityModel;
  readonly tenantId: string;
  /** The result of `anySlot`. */
  readonly slot: unknown;
}

/** Picks the slot for a write. */
export function anySlot(): number {
  return Math.floor(Math.random() * SLOTS);
}

/** Counts records per unit, or for the tenant, as input for `countingInserts`. */
export function countByOwner(records: readonly { readonly ownerId: string | null }[]): string {
  const groups = Map.groupBy(records, ({ ownerId }) => ownerId);
  return JSON.stringify([...groups].map(([owner, own]) => ({ owner, records: own.length })));
}

/** Adds the inserted records to the totals; `counts` is the result of `countByOwner`. */
export function countingInserts(counting: Counting, counts: unknown): AnyQuery {
  return withCounted(counting, (query) =>
    query
      .selectFrom((from) =>
        from
          .fn<Record<string, unknown>>('json_to_recordset', [sql`${counts}::json`])
          .as<'changed'>(sql`changed(owner uuid, records bigint)`),
      )
      .select(['changed.owner', 'changed.records']),
  );
}

/** Subtracts deleted records from the totals; `deleted` is the part of the statement that returns them. */
export function countingDeletes(counting: Counting, deleted: string): AnyQuery {
  const owner = isOfUnits(counting.model) ? sql.ref(`${deleted}.owner_bu_id`) : sql`null::uuid`;
  return withCounted(counting, (query) =>
    query
      .selectFrom(deleted)
      .select([owner.as('owner'), sql`-count(*)`.as('records')])
      .groupBy(sql.lit(1)),
  );
}

/** Returns the number of records that the scope reaches, without counting rows. */
export function storedTotal({ name, totals }: EntityModel): Expression<unknown> {
  return expressionBuilder<AnyTables, never>()
    .selectFrom(totals)
    .select(sql`coalesce(sum(${sql.ref(`${totals}.records`)}), 0)::bigint`.as('total'))
    .where(`${totals}.entity`, '=', name);
}

function withCounted(
  { query, model, tenantId, slot }: Counting,
  changed: (query: AnyQuery) => ReturnType<AnyQuery['selectFrom']>,
): AnyQuery {
  const { totals, name } = model;
  const units = isOfUnits(model) ? ['owner_bu_id'] : [];
  return query.with('counted', (q) =>
    q
      .insertInto(totals)
      .columns(['tenant_id', 'entity', ...units, 'slot', 'records'])
      .expression((eb) =>
        eb
          .selectFrom(changed(q).as('changed'))
          .select([
            sql`${tenantId}::uuid`.as('tenant_id'),
            sql`${name}::text`.as('entity'),
            ...units.map((unit) => sql.ref('changed.owner').as(unit)),
            sql`${slot}::int`.as('slot'),
            sql.ref('changed.records').as('records'),
          ])
          // A fixed order avoids deadlocks.
          .orderBy('changed.owner'),
      )
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'entity', ...units, 'slot']).doUpdateSet({
          records: sql`${sql.ref(`${totals.replace(/^.*\./, '')}.records`)} + ${sql.ref('excluded.records')}`,
        }),
      ),
  );
}

function isOfUnits({ ownedBy }: EntityModel): boolean {
  return ownedBy === 'business_unit';
}
