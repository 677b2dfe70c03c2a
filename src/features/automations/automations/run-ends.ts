/** How runs have ended, for whoever waits for the end of what set them off. */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** A run, by what set it off: see `RunRequest`. */
export interface RunSource {
  readonly automationId: string;
  readonly sourceKey: string;
}

/** Of each of these runs that is still there: whether it goes on, or has finally failed. */
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
