/** Maintains totals: the statement that writes records also counts them, if their resource has totals. */
import { sql } from 'kysely';
import { tenantRowOf } from '../tenancy/tenant-row.ts';
import type { AnyQuery } from './compiled-statements.ts';
import type { Resource } from './resource.ts';
import type { WriteKind } from './write-kind.ts';

/** The rows of a statement that add to or subtract from the total. */
interface TotalChange {
  readonly rows: string;
  readonly by: 1 | -1;
}

const CHANGES: Readonly<Record<WriteKind, TotalChange | null>> = {
  insert: { rows: 'written', by: 1 },
  add: { rows: 'written', by: 1 },
  update: null,
  save: { rows: 'made', by: 1 },
  delete: { rows: 'written', by: -1 },
};

/** The slot that a write counts in, as its statement's parameter; empty if it does not count. */
export function chooseSlot(write: WriteKind, { totals }: Resource): readonly number[] {
  if (totals?.slots === undefined || CHANGES[write] === null) return [];
  return [Math.floor(Math.random() * totals.slots)];
}

/** Adds the change of each unit's total to the query; returns it unchanged when nothing counts. */
export function withTotals(query: AnyQuery, write: WriteKind, { totals }: Resource, slot: unknown): AnyQuery {
  const change = CHANGES[write];
  if (totals?.slots === undefined || change === null) return query;
  const { table, column } = totals;
  return query.with('counted', (q) =>
    q
      .insertInto(table)
      .columns(['tenant_id', 'owner_bu_id', 'slot', column])
      .expression((eb) =>
        eb
          .selectFrom(change.rows)
          .crossJoin(tenantRowOf)
          .select(['tenant_row.tenant_id', `${change.rows}.owner_bu_id`])
          .select(sql`${slot}::int`.as('slot'))
          .select(sql`${sql.lit(change.by)} * count(*)`.as(column))
          .groupBy(['tenant_row.tenant_id', `${change.rows}.owner_bu_id`])
          // Sorted, so that two statements never deadlock.
          .orderBy(`${change.rows}.owner_bu_id`),
      )
      .onConflict((c) =>
        c.columns(['tenant_id', 'owner_bu_id', 'slot']).doUpdateSet({
          [column]: sql`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
        }),
      ),
  );
}
