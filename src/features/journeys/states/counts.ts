/** Counters of enrollments by status. Each change updates them, so that reads need not count rows. */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import type { Counts, Status } from '../schema.ts';

/** Number of rows over which the counts of a journey are spread, to reduce lock contention. */
const SLOTS = 8;
const NONE: Counts = { active: 0, completed: 0, exited: 0, failed: 0 };

/** A change of an enrollment's status. */
export interface CountedChange {
  readonly journeyId: string;
  /** Null for a new enrollment. */
  readonly from: Status | null;
  readonly to: Status;
}

/** Adds changes to the counts. Call it last in a transaction: it locks shared rows. */
export async function countChanges(tx: ScopedDb, changes: readonly CountedChange[]): Promise<void> {
  const sums = new Map<string, Counts>();
  for (const { journeyId, from, to } of changes) {
    if (from === to) continue;
    const sum = sums.get(journeyId) ?? { ...NONE };
    sum[to] += 1;
    if (from !== null) sum[from] -= 1;
    sums.set(journeyId, sum);
  }
  if (sums.size === 0) return;
  const rows = [...sums].map(([journey_id, sum]) => ({ journey_id, ...sum }));
  // Sorted by journey to avoid deadlocks.
  await tx.raw(
    (tenantId) => sql`
    insert into journey_counts as stored (tenant_id, journey_id, slot, active, completed, exited, failed)
    select tenant_row.tenant_id, g.journey_id, ${Math.floor(Math.random() * SLOTS)}, g.active, g.completed, g.exited, g.failed
    from json_to_recordset(${JSON.stringify(rows)}::json) as g (journey_id uuid, active bigint, completed bigint,
      exited bigint, failed bigint)
    cross join ${tenantRow(tenantId)} order by g.journey_id
    on conflict (tenant_id, journey_id, slot) do update set active = stored.active + excluded.active,
      completed = stored.completed + excluded.completed, exited = stored.exited + excluded.exited,
      failed = stored.failed + excluded.failed`,
  );
}

/** Returns the counts of journeys, in the order of the ids. */
export async function countsOf(db: ScopedDb, journeyIds: readonly string[]): Promise<Counts[]> {
  const sum = (name: keyof Counts) => sql<number>`sum(${sql.ref(name)})::int`.as(name);
  const rows = await db.query
    .selectFrom('journey_counts')
    .select('journey_id')
    .select([sum('active'), sum('completed'), sum('exited'), sum('failed')])
    .where('journey_id', '=', sql<string>`any(${journeyIds}::uuid[])`)
    .groupBy('journey_id')
    .execute();
  const counts = new Map(rows.map(({ journey_id, ...each }) => [journey_id, each]));
  return journeyIds.map((id) => counts.get(id) ?? NONE);
}
