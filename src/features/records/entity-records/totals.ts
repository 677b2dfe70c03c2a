/**
 * How many records an entity has, kept beside its table by the statements that write them: counting a million takes a hundred
 * times as long as reading a page of them.
 */
import { type Expression, expressionBuilder, sql } from 'kysely';
import type { AnyQuery, AnyTables } from '../../../resources/compiled.ts';
import type { EntityModel } from '../entities/index.ts';

/** Rows over which a total is spread, so that writers seldom wait for each other. */
const SLOTS = 16;

/** A statement of one entity of a tenant, before the part that counts is added. */
interface Counting {
  readonly query: AnyQuery;
  readonly model: EntityModel;
  readonly tenantId: string;
  /** What `anySlot` gave. */
  readonly slot: unknown;
}

/** The slot in which a write counts. */
export function anySlot(): number {
  return Math.floor(Math.random() * SLOTS);
}

/** How many of these are of each unit, or of the tenant, as `countingInserts` takes it. */
export function countByOwner(records: readonly { readonly ownerId: string | null }[]): string {
  const groups = Map.groupBy(records, ({ ownerId }) => ownerId);
  return JSON.stringify([...groups].map(([owner, own]) => ({ owner, records: own.length })));
}

/** The statement with a part that adds what it inserts; `counts` is what `countByOwner` gave. */
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

/** The statement with a part that takes away the rows of `deleted`, another part that gives back what it deletes. */
export function countingDeletes(counting: Counting, deleted: string): AnyQuery {
  const owner = isOfUnits(counting.model) ? sql.ref(`${deleted}.owner_bu_id`) : sql`null::uuid`;
  return withCounted(counting, (query) =>
    query
      .selectFrom(deleted)
      .select([owner.as('owner'), sql`-count(*)`.as('records')])
      .groupBy(sql.lit(1)),
  );
}

/** How many records of an entity the scope reaches, without looking at any. */
export function keptTotal({ name, totals }: EntityModel): Expression<unknown> {
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
          // In one order, so that two of them never wait for each other.
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
