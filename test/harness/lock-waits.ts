import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { eventually } from './poll.ts';

/** Counts requested locks of the database that are not granted. */
const WAITS = `select count(*) as count from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`;

/** Waits until a statement waits for a lock, on any node of a cluster. */
export async function waitForLock(what: string, database: Database): Promise<void> {
  const counted = database.isSharded
    ? sql<{ count: number }>`
        select sum(result::int) as count from run_command_on_all_nodes(${sql.lit(WAITS)})`
    : sql<{ count: number }>`${sql.raw(WAITS)}`;
  await eventually(what, async () => {
    const { rows } = await database.everyTenant('tests').raw(counted);
    return (rows[0]?.count ?? 0) > 0;
  });
}
