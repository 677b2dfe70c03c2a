import { sql } from 'kysely';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';

/** Returns the kinds of the authors of a subscriber's versions, by the time at which they were recorded. */
export async function findAuthors(
  db: ScopedDb,
  subscriberId: string,
  times: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (times.length === 0) return new Map();
  const { rows } = await db.raw(
    (tenantId) => sql<{ recorded_at: string; kind: string }>`
    select recorded_at, actor ->> 'kind' as kind from record_history
    where tenant_id = ${tenantId}::uuid and entity_type = 'marketing_subscriber' and sort_key = ${subscriberId}
      and not deleted and actor is not null and recorded_at = any(${times}::timestamptz[])`,
  );
  return new Map(rows.map(({ recorded_at, kind }) => [recorded_at, kind]));
}
