/** Reports how runs ended, to code that waits for the end of their source. */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Identifies a run by its source; see `RunRequest`. */
export interface RunSource {
  readonly automationId: string;
  readonly sourceKey: string;
}

/** Returns the state of each of these runs that still exists: in progress or finally failed. */
export async function findSourceEnds(
  db: ScopedDb,
  sources: readonly RunSource[],
): Promise<readonly (RunSource & { readonly isPending: boolean; readonly isFailed: boolean })[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<RunSource & { isPending: boolean; isFailed: boolean }>`
      select r.target_id as "automationId", r.source_key as "sourceKey", r.state = 'pending' as "isPending",
        r.state = 'failed' and not r.is_skipped as "isFailed"
      from automation_runs r
      join unnest(${sources.map(({ automationId }) => automationId)}::uuid[],
        ${sources.map(({ sourceKey }) => sourceKey)}::text[]) as s (automation_id, source_key)
        on r.target_id = s.automation_id and r.source_key = s.source_key
      where r.tenant_id = ${tenantId}::uuid`,
  );
  return rows;
}
