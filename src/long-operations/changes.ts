/** Changes that operations have made, so that they can be reverted. History has the versions. */
import { sql } from 'kysely';
import { firstIdOf } from '../db/time-ordered-id.ts';
import { defineRetention } from '../jobs/retention.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { tenantRow } from '../tenancy/tenant-row.ts';

/** How long an operation can be reverted after it was started, in days. */
export const REVERTIBLE_DAYS = 7;

declare module '../db/tables.ts' {
  interface Tables {
    operation_changes: {
      tenant_id: string;
      operation_id: string;
      record_key: string;
      before: number | null;
      after: number;
    };
  }
}

/** A record that an operation has changed. */
export interface RecordChange {
  readonly key: string;
  /** The version before the operation; null: it has created the record. */
  readonly before: number | null;
  /** The version after the operation; the same as before if it has deleted the record. */
  readonly after: number;
}

/** Stores changes of an operation. A record that it has changed before keeps its first version. */
export async function storeChanges(
  tx: ScopedDb,
  operationId: string,
  changes: readonly RecordChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.raw(
    (tenantId) => sql`
      insert into operation_changes (tenant_id, operation_id, record_key, before, after)
      select tenant_row.tenant_id, ${operationId}::uuid, c.key, c.before, c.after
      from json_to_recordset(${JSON.stringify(merged(changes))}::json) as c (key text, before int, after int)
      cross join ${tenantRow(tenantId)}
      on conflict (tenant_id, operation_id, record_key) do update set after = excluded.after`,
  );
}

/** Lists changes of an operation after a key, in the order of the keys. */
export async function listChanges(
  db: ScopedDb,
  operationId: string,
  after: string,
  limit: number,
): Promise<RecordChange[]> {
  return db.query
    .selectFrom('operation_changes')
    .select(['record_key as key', 'before', 'after'])
    .where('operation_id', '=', operationId)
    .where('record_key', '>', after)
    .orderBy('record_key')
    .limit(limit)
    .execute();
}

/** Returns the number of records that an operation has changed. */
export async function countChanges(db: ScopedDb, operationId: string): Promise<number> {
  const { count } = await db.query
    .selectFrom('operation_changes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('operation_id', '=', operationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns one change for each record. */
function merged(changes: readonly RecordChange[]): RecordChange[] {
  const byKey = new Map<string, RecordChange>();
  for (const change of changes) {
    const first = byKey.get(change.key);
    byKey.set(change.key, first === undefined ? change : { ...change, before: first.before });
  }
  return [...byKey.values()];
}

/** Retention of changes; a day longer than they can be reverted, so that a revert ends before. */
export const changeRetention = defineRetention({
  description: 'versions before and after operations',
  keptHours: (REVERTIBLE_DAYS + 1) * 24,
  table: 'operation_changes',
  key: ['operation_id', 'record_key'],
  isOld: (before) => sql`r.operation_id < ${firstIdOf(before)}`,
  byTenant: true,
});
