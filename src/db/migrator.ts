/**
 * Brings the schema up to date, forward only: each numbered file in a transaction, then the SQL functions whose text
 * changed. Several processes may start at once: an advisory lock lets one work while the others wait and then find
 * nothing to do. When nothing changed, that takes one query and no lock.
 */
import type { SqlPool } from './pool.ts';
import { plannerStatement, readSchemaFiles, type SchemaFiles, type SqlFile } from './schema-files.ts';
import { isSqlState, UNDEFINED_COLUMN, UNDEFINED_TABLE } from './sqlstate.ts';

const LOCK_KEY = 7_310_541_202;

interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** The role under which all requests and jobs run; row-level security binds it. */
export const APP_ROLE = 'tessera_app';

/**
 * Applies what is missing, as the role that opened the connection (the owner).
 * @throws when a file breaks a rule or was changed after it was applied, the database is newer than this program, or
 * a statement fails.
 */
export async function migrate(database: SqlPool): Promise<void> {
  const files = await readSchemaFiles();
  const client = await database.pool.connect();
  try {
    await client.query('reset role');
    if (!isUpToDate(await readApplied(client), files))
      await underLock(client, () => applyFiles(client, files));
    client.release();
  } catch (error) {
    // Not used again: the session may hold the lock.
    client.release(true);
    throw error;
  }
}

async function underLock(client: SqlExecutor, work: () => Promise<void>): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
  await work();
  await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
}

/** Checksums of what the database was made from, by the name of the file's function or the number of its migration. */
interface Applied {
  /** In order; null: applied before checksums were kept. */
  readonly migrations: readonly (string | null)[];
  readonly functions: ReadonlyMap<string, string>;
}

const NOTHING: Applied = { migrations: [], functions: new Map() };

async function readApplied(client: SqlExecutor): Promise<Applied> {
  try {
    const { rows } = await client.query(
      `select number, null as name, checksum from schema_migrations
       union all select null, name, checksum from schema_functions order by number`,
    );
    const functions = rows.filter(({ number }) => number === null);
    return {
      migrations: rows.flatMap(({ number, checksum }) =>
        number === null ? [] : [checksum === null ? null : String(checksum)],
      ),
      functions: new Map(functions.map(({ name, checksum }) => [String(name), String(checksum)])),
    };
  } catch (error) {
    // A new database, or one from before checksums.
    if (isSqlState(error, UNDEFINED_TABLE) || isSqlState(error, UNDEFINED_COLUMN)) return NOTHING;
    throw error;
  }
}

function isUpToDate({ migrations, functions }: Applied, files: SchemaFiles): boolean {
  return (
    migrations.length === files.migrations.length &&
    files.migrations.every(({ checksum }, index) => checksum === migrations[index]) &&
    functions.size === files.functions.length &&
    files.functions.every(({ name, checksum }) => checksum === functions.get(name))
  );
}

async function applyFiles(client: SqlExecutor, files: SchemaFiles): Promise<void> {
  await client.query(
    `create table if not exists schema_migrations (
       number int primary key, name text not null, applied_at timestamptz not null default now(), checksum text);
     alter table schema_migrations add column if not exists checksum text;
     create table if not exists schema_functions (name text primary key, checksum text not null)`,
  );
  const { migrations, functions } = await readApplied(client);
  checkApplied(migrations, files.migrations);
  for (const [index, file] of files.migrations.entries()) {
    const number = index + 1;
    if (number > migrations.length) await applyMigration(client, number, file);
    else if (migrations[index] === null)
      await client.query('update schema_migrations set checksum = $1 where number = $2', [
        file.checksum,
        number,
      ]);
  }
  await inTransaction(client, 'The SQL functions', () => applyFunctions(client, functions, files.functions));
}

/** @throws when the database has more than this program knows of, or a file is no longer what was applied. */
function checkApplied(applied: Applied['migrations'], files: readonly SqlFile[]): void {
  if (applied.length > files.length) {
    throw new Error(
      `The database is at migration ${applied.length}, newer than this program (${files.length}). Update Tessera.`,
    );
  }
  for (const [index, checksum] of applied.entries()) {
    const file = files[index];
    if (checksum !== null && file !== undefined && file.checksum !== checksum)
      throw new Error(
        `Migration ${file.name} was changed after it was applied. Restore it, and write a new one.`,
      );
  }
}

function applyMigration(
  client: SqlExecutor,
  number: number,
  { name, text, checksum }: SqlFile,
): Promise<void> {
  return inTransaction(client, `Migration ${name}`, async () => {
    await client.query(text);
    const values = [number, name, checksum];
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', values);
  });
}

/** A changed function is made anew, so that its arguments and its result may change; one without a file is dropped. */
async function applyFunctions(
  client: SqlExecutor,
  applied: Applied['functions'],
  files: readonly SqlFile[],
): Promise<void> {
  const gone = new Set(applied.keys());
  for (const file of files) {
    gone.delete(file.name);
    if (applied.get(file.name) === file.checksum) continue;
    await client.query(`drop function if exists ${file.name}`);
    await client.query(file.text);
    const planner = plannerStatement(file);
    if (planner !== null) await client.query(planner);
    await client.query(
      `insert into schema_functions (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum`,
      [file.name, file.checksum],
    );
  }
  for (const name of gone) {
    await client.query(`drop function if exists ${name}`);
    await client.query('delete from schema_functions where name = $1', [name]);
  }
}

async function inTransaction(client: SqlExecutor, what: string, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what} failed: ${reason}`, { cause: error });
  }
}
