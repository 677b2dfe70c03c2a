import pg from 'pg';
import { testServerUrl } from './test-database.ts';

/** Ends every connection to a database, as its restart or a failover would. */
export async function cutConnections(databaseUrl: string): Promise<void> {
  const { pathname } = new URL(databaseUrl);
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    pathname.slice(1),
  ]);
  await client.end();
}
