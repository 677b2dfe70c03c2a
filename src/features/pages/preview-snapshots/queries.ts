import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { SnapshotRow } from './resource.ts';

/** Finds the snapshot with this digest in an existing project, unless it has expired. */
export async function findSnapshot(
  db: ScopedDb,
  digest: string,
  since: Date,
): Promise<SnapshotRow | undefined> {
  return db.query
    .selectFrom('page_preview_snapshots as s')
    .innerJoin('page_projects as p', 'p.id', 's.project_id')
    .selectAll('s')
    .where('s.digest', '=', digest)
    .where('s.created_at', '>', sql<string>`${since}`)
    .executeTakeFirst();
}
