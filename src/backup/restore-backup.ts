import type pg from 'pg';
import { findSchemaProblem, migrate, readSchemaState } from '../db/migrator.ts';
import type { SqlPool } from '../db/pool.ts';
import { olderSchema, readSchemaFiles, type SqlFile } from '../db/schema-files.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { requireKeys } from '../secrets/secret-keys.ts';
import { BackupError, type BackupHeader, readHeader, readLine, type TableLine } from './backup-format.ts';
import { DependentRestore } from './dependent-restore.ts';
import { requireOneServer } from './one-server.ts';
import {
  type BackupTable,
  type DependentTables,
  exactTexts,
  isOwn,
  listTables,
  sqlNames,
  sqlTable,
} from './tables.ts';

/** Approximate bytes per insert statement. */
const WRITE_BYTES = 2 * 1024 * 1024;
const WRITE_ROWS = 2000;

/** A backup with a valid header and a matching key. */
export interface OpenBackup {
  readonly header: BackupHeader;
  /** True if its schema lacks migrations of this version. A new database must be empty then. */
  readonly isOlder: boolean;
  /** All other lines; can be read once. */
  readonly lines: AsyncIterable<string>;
  close(): Promise<void>;
}

/**
 * Reads the header of a backup.
 * @throws BackupError if it is not a backup or cannot be read, SecretKeyError if SECRET_KEY does not match it.
 */
export async function openBackup(secrets: SecretBox, lines: AsyncIterable<string>): Promise<OpenBackup> {
  const source = lines[Symbol.asyncIterator]();
  const close = async () => {
    await source.return?.();
  };
  try {
    const first = await source.next();
    const header = readHeader(first.done ? '' : first.value);
    requireKeys(secrets, header.keys, 'backup');
    const { migrations } = await readSchemaFiles();
    requireKnown(header, migrations);
    const isOlder = header.migrations.length < migrations.length;
    return { header, isOlder, lines: { [Symbol.asyncIterator]: () => source }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Restores a backup into a database without tenants, completely or not at all, then migrates it. Returns the number of
 * rows. @throws BackupError if lines are missing or do not fit the database, DatabaseError if its tenants are spread
 * over nodes.
 */
export async function restoreBackup(
  database: SqlPool,
  backup: OpenBackup,
  dependent: DependentTables,
): Promise<number> {
  try {
    await requireOneServer(database.pool);
    await createSchema(database, backup);
    const rows = await fillTables(database, backup.lines, dependent);
    await migrate(database);
    return rows;
  } finally {
    await backup.close();
  }
}

function requireKnown({ migrations, version }: BackupHeader, known: readonly SqlFile[]): void {
  const refusal = findSchemaProblem(migrations, known);
  if (refusal !== null)
    throw new BackupError(`The backup was written by Tessera ${version}; its database ${refusal}`);
}

/** Creates the schema of the backup; newer migrations are applied after its rows are restored. */
async function createSchema(database: SqlPool, { header, isOlder }: OpenBackup): Promise<void> {
  const { migrations, version } = header;
  const { applied } = await readSchemaState(database.pool);
  if (applied.length !== 0 && applied.length !== migrations.length)
    throw new BackupError(
      `The database has the schema of another version than the backup (Tessera ${version}). Restore into an empty one.`,
    );
  const files = await readSchemaFiles();
  await migrate(database, isOlder ? olderSchema(files, migrations.length) : files);
}

/** Restores all rows and returns their number. Only rows of dependent tables are outside the transaction. */
async function fillTables(
  database: SqlPool,
  lines: AsyncIterable<string>,
  dependent: DependentTables,
): Promise<number> {
  const client = await database.pool.connect();
  const dependentTables = new DependentRestore(database, client, dependent);
  try {
    await client.query('reset role');
    await client.query('begin');
    await client.query(exactTexts('transaction'));
    const tables = (await listTables(client, dependent)).filter(({ name }) => isOwn(name));
    await clear(client, tables);
    const rows = await fillAndCommit(client, tables, lines, dependentTables);
    await client.query(`analyze ${sqlNames(tables.map(({ name }) => name))}`);
    return rows;
  } finally {
    // Close the connection in any state.
    client.release(true);
  }
}

async function fillAndCommit(
  client: pg.PoolClient,
  tables: readonly BackupTable[],
  lines: AsyncIterable<string>,
  dependentTables: DependentRestore,
): Promise<number> {
  await dependentTables.drop();
  try {
    const rows = await fill(client, tables, lines, dependentTables);
    await dependentTables.finish();
    await client.query('commit');
    return rows;
  } catch (error) {
    // If this fails, the next restore drops the tables.
    await dropDependent(client, dependentTables).catch(() => {});
    throw error;
  } finally {
    dependentTables.end();
  }
}

async function dropDependent(client: pg.PoolClient, dependentTables: DependentRestore): Promise<void> {
  await client.query('rollback');
  await client.query('begin');
  // If another restore has the lock, it drops the tables itself.
  await requireEmpty(client, 'nowait');
  await dependentTables.drop();
  await client.query('commit');
}

/** Empties the tables: an earlier start of the service has stored its schedules and its key. */
async function clear(client: pg.PoolClient, tables: readonly BackupTable[]): Promise<void> {
  await requireEmpty(client);
  await client.query(`truncate ${sqlNames(tables.map(({ name }) => name))}`);
}

/** Locks and checks `tenants`, so that no tenant is created before the transaction ends. */
async function requireEmpty(client: pg.PoolClient, wait: '' | 'nowait' = ''): Promise<void> {
  await client.query(`lock table tenants in access exclusive mode ${wait}`);
  const { rows } = await client.query<{ code: string }>('select code from tenants limit 1');
  if (rows[0] !== undefined)
    throw new BackupError(
      `The database already has tenants (${rows[0].code}). Restore into an empty one: set another DATABASE_URL or DATA_DIR.`,
    );
}

async function fill(
  client: pg.PoolClient,
  tables: readonly BackupTable[],
  lines: AsyncIterable<string>,
  dependentTables: DependentRestore,
): Promise<number> {
  let known = byName(tables);
  let haveDependent = false;
  let writer = client;
  let insert = '';
  let waiting: string[] = [];
  let size = 0;
  let count = 0;
  const write = async () => {
    if (waiting.length > 0) await writer.query(insert, [`[${waiting.join(',')}]`]);
    count += waiting.length;
    [waiting, size] = [[], 0];
  };
  for await (const text of lines) {
    const line = readLine(text);
    if (typeof line === 'string') {
      waiting.push(line);
      size += line.length;
      if (size >= WRITE_BYTES || waiting.length >= WRITE_ROWS) await write();
      continue;
    }
    await write();
    // All own tables come first, so the rows on which dependent tables are based exist now.
    if (!haveDependent && !('table' in line && isOwn(line.table))) {
      known = byName(await dependentTables.create());
      haveDependent = true;
    }
    if ('table' in line) {
      insert = insertInto(line, known.get(line.table));
      writer = isOwn(line.table) ? client : await dependentTables.writer();
    } else if (line.rows === count) return count;
    else throw new BackupError(`The backup must have ${line.rows} rows but has ${count}.`);
  }
  throw new BackupError('The backup is truncated: its end is missing.');
}

function byName(tables: readonly BackupTable[]): ReadonlyMap<string, BackupTable> {
  return new Map(tables.map((table) => [table.name, table]));
}

function insertInto({ table, columns }: TableLine, known: BackupTable | undefined): string {
  const values = columns.map((column, index) => {
    const type = known?.columns.get(column);
    if (type === undefined) throw new BackupError(`The database has no column ${table}.${column}.`);
    return `(r->>${index})::${type}`;
  });
  return `insert into ${sqlTable(table)} (${sqlNames(columns)})
    select ${values.join(', ')} from json_array_elements($1::json) r`;
}
