/**
 * Migrates the schema, forward only: each numbered file in a transaction, then the changed SQL functions. An advisory
 * lock serializes processes that start together; the later ones then find nothing to do. Without changes, a start needs
 * one query and no lock. The lock is per server, which suffices on a cluster, because its schema changes only through
 * the coordinator.
 */
import { ensureAppRole } from './app-role.ts';
import { DatabaseError } from './database-error.ts';
import type { SqlPool } from './pool.ts';
import {
  isFunctionName,
  plannerStatement,
  readSchemaFiles,
  type SchemaFiles,
  type SqlFile,
  statementsOf,
} from './schema-files.ts';
import { isOtherNode } from './sharding.ts';
import { isSqlState, UNDEFINED_TABLE } from './sqlstate.ts';

/** Advisory lock of a migrating process. */
const LOCK_KEY = 7_310_541_202;

const NEEDS_COORDINATOR =
  'the schema is not up to date, and this is a node of a cluster: run "tessera migrate" with the URL of the coordinator';

interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/**
 * Applies those of `files` (default: all files of this program) that are not applied yet, as the role that opened the
 * connection (the owner). Ensures the rights of the application's role.
 * @throws if a file breaks a rule or was changed after it was applied, the database has unknown migrations, a statement
 * fails, or the schema is outdated and this node is not the coordinator of its cluster.
 */
export async function migrate(database: SqlPool, files?: SchemaFiles): Promise<void> {
  const schemaFiles = files ?? (await readSchemaFiles());
  const client = await database.pool.connect();
  try {
    await client.query('reset role');
    if (!isUpToDate(await readApplied(client), schemaFiles)) {
      if (await isOtherNode(client)) throw new DatabaseError(NEEDS_COORDINATOR);
      // A migration has no time limit, even if the role has one.
      await client.query('set statement_timeout to 0');
      await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
      await applyFiles(client, schemaFiles);
      await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
      await client.query('reset statement_timeout');
    }
    await ensureAppRole(client);
    client.release();
  } catch (error) {
    // Close the connection, because its session may still have the lock.
    client.release(true);
    throw error;
  }
}

/** State of a database's schema, compared with this program. */
export interface SchemaState {
  /** Applied migrations, in order. */
  readonly applied: readonly string[];
  /** Reason why this program cannot use the database, as a text that continues `The database`; null if it can. */
  readonly problem: string | null;
  /** Number of migrations and SQL functions that a start would apply. */
  readonly missing: number;
}

/** Reads the state of the schema without changing it. */
export async function readSchemaState(client: SqlExecutor): Promise<SchemaState> {
  const [applied, { migrations, functions }] = [await readApplied(client), await readSchemaFiles()];
  const isMissing = ({ name, checksum }: SqlFile) => applied.get(name) !== checksum;
  const names = [...applied.keys()].filter((name) => !isFunctionName(name)).sort();
  return {
    applied: names,
    problem: findSchemaProblem(names, migrations),
    missing: [...migrations, ...functions].filter(isMissing).length,
  };
}

/**
 * Returns the reason why this program cannot use a schema with these migrations, as a text that continues `The
 * database`; null if it can.
 */
export function findSchemaProblem(names: readonly string[], migrations: readonly SqlFile[]): string | null {
  const known = new Set(migrations.map(({ name }) => name));
  const [unknown] = names.filter((name) => !known.has(name));
  if (unknown === undefined) return null;
  const [baseline] = migrations;
  return baseline !== undefined && names.includes(baseline.name)
    ? `is at migration ${unknown}, newer than this program (${migrations.at(-1)?.name}). Update Tessera.`
    : `was created by a development version before 0.1.0 (migration ${unknown}), which no release supports. Start with an empty database: set another DATA_DIR or DATABASE_URL.`;
}

/** Checksums of applied files by name. */
type Applied = ReadonlyMap<string, string>;

/** Returns the applied files; none if the database has no schema. */
async function readApplied(client: SqlExecutor): Promise<Applied> {
  try {
    const { rows } = await client.query(
      'select name, checksum from schema_migrations union all select name, checksum from schema_functions',
    );
    return new Map(rows.map(({ name, checksum }) => [String(name), String(checksum)]));
  } catch (error) {
    if (isSqlState(error, UNDEFINED_TABLE)) return new Map();
    throw error;
  }
}

function isUpToDate(applied: Applied, { migrations, functions }: SchemaFiles): boolean {
  const files = [...migrations, ...functions];
  return applied.size === files.length && files.every(({ name, checksum }) => applied.get(name) === checksum);
}

async function applyFiles(client: SqlExecutor, { migrations, functions }: SchemaFiles): Promise<void> {
  await client.query(
    `create table if not exists schema_migrations (
       number int primary key, name text not null, applied_at timestamptz not null default now(), checksum text not null);
     create table if not exists schema_functions (name text primary key, checksum text not null)`,
  );
  const applied = await readApplied(client);
  const known = new Set([...migrations, ...functions].map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  const names = [...applied.keys()].filter((name) => !isFunctionName(name));
  const problem = findSchemaProblem(names, migrations);
  if (problem !== null) throw new Error(`The database ${problem}`);
  for (const [index, file] of migrations.entries())
    await applyMigration(client, index + 1, file, applied.get(file.name));
  const changed = functions.filter(({ name, checksum }) => applied.get(name) !== checksum);
  await inTransaction(client, 'The SQL functions', () => applyFunctions(client, changed, unknown));
}

/** Applies a migration once. `appliedChecksum` is undefined if it was not applied yet. */
async function applyMigration(
  client: SqlExecutor,
  number: number,
  file: SqlFile,
  appliedChecksum: string | undefined,
): Promise<void> {
  const { name, checksum } = file;
  if (appliedChecksum === checksum) return;
  if (appliedChecksum !== undefined)
    throw new Error(
      `Migration ${name} was changed after it was applied. Restore the file, and add a new migration.`,
    );
  await inTransaction(client, `Migration ${name}`, async () => {
    // On a cluster a migration may change reference tables after distributed ones. On one server the setting has no
    // effect.
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
    for (const statement of statementsOf(file)) await client.query(statement);
    const values = [number, name, checksum];
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', values);
  });
}

/** Drops and creates changed functions, so that arguments and result may change; drops functions without a file. */
async function applyFunctions(
  client: SqlExecutor,
  changed: readonly SqlFile[],
  removed: readonly string[],
): Promise<void> {
  for (const name of [...removed, ...changed.map((file) => file.name)]) {
    await client.query(`drop function if exists ${name}`);
    await client.query('delete from schema_functions where name = $1', [name]);
  }
  for (const file of changed) {
    await client.query(file.text);
    const planner = plannerStatement(file);
    if (planner !== null) await client.query(planner);
    const values = [file.name, file.checksum];
    await client.query('insert into schema_functions (name, checksum) values ($1, $2)', values);
  }
}

async function inTransaction(client: SqlExecutor, name: string, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} failed: ${reason}`, { cause: error });
  }
}
