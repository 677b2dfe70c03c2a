/**
 * Brings the schema up to date: numbered SQL files, forward only, each in a transaction. Several processes may
 * start at once: an advisory lock lets one migrate while the others wait and then find nothing to do.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import type { SqlPool } from './pool.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const LOCK_KEY = 7_310_541_202;

interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** The schema and role of the job queue's own tables. */
export const JOB_SCHEMA = 'pgboss';
/** The role under which all requests and jobs run; row-level security binds it. */
export const APP_ROLE = 'tessera_app';

/**
 * Applies what is missing, as the role that opened the connection (the owner).
 * @throws when a numbered file is missing, the database is newer than this program, or a statement fails.
 */
export async function migrate(database: SqlPool): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('reset role');
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await applyFiles(client);
    await migrateJobQueue(client);
    await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
  } finally {
    // Not returned to the pool: the session would keep the owner's role and lock.
    client.release(database.kind === 'server');
  }
}

async function applyFiles(client: SqlExecutor): Promise<void> {
  await client.query(
    'create table if not exists schema_migrations (number int primary key, name text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query('select max(number) as last from schema_migrations');
  const last = Number(rows[0]?.last ?? 0);
  const files = await listMigrations();
  if (last > files.length) {
    throw new Error(
      `The database is at migration ${last}, newer than this program (${files.length}). Update Tessera.`,
    );
  }
  for (const [index, name] of files.entries()) {
    const number = index + 1;
    if (number <= last) continue;
    const text = await readFile(join(MIGRATIONS, name), 'utf8');
    await client.query('begin');
    try {
      await client.query(text);
      await client.query('insert into schema_migrations (number, name) values ($1, $2)', [number, name]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Migration ${name} failed: ${reason}`, { cause: error });
    }
  }
}

/** The migration files in order. Numbers start at 0001 and have no gaps. */
export async function listMigrations(): Promise<string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  for (const [index, name] of files.entries()) {
    if (Number(name.slice(0, 4)) !== index + 1)
      throw new Error(`Migration ${name} should be number ${index + 1}.`);
  }
  return files;
}

/** pg-boss keeps its own tables and versions them itself; ours is only to let the application's role use them. */
async function migrateJobQueue(client: SqlExecutor): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: JOB_SCHEMA,
    supervise: false,
    schedule: false,
  });
  // A listener is required: an unhandled 'error' event would end the process; start() rejects by itself.
  boss.on('error', () => {});
  await boss.start();
  await boss.stop({ graceful: false });
  await client.query(`grant usage on schema ${JOB_SCHEMA} to ${APP_ROLE}`);
  await client.query(`grant all on all tables in schema ${JOB_SCHEMA} to ${APP_ROLE}`);
  await client.query(`grant all on all sequences in schema ${JOB_SCHEMA} to ${APP_ROLE}`);
  await client.query(`grant execute on all functions in schema ${JOB_SCHEMA} to ${APP_ROLE}`);
}
