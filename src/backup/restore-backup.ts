import type pg from 'pg';
import { migrate, readSchemaState, refusalOf } from '../db/migrator.ts';
import type { SqlPool } from '../db/pool.ts';
import { olderSchema, readSchemaFiles } from '../db/schema-files.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { requireKeys } from '../secrets/secret-keys.ts';
import { BackupError, type BackupHeader, readHeader, readLine, type TableLine } from './backup-format.ts';
import { DependentMaking } from './dependent-making.ts';
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

/** What is written by one statement, about. */
const WRITE_BYTES = 2 * 1024 * 1024;
const WRITE_ROWS = 2000;

/** A backup of which the first line is read, and can be restored with the key at hand. */
export interface OpenBackup {
  readonly header: BackupHeader;
  /** All other lines, once. */
  readonly lines: AsyncIterable<string>;
  close(): Promise<void>;
}

/**
 * Reads how a backup begins.
 * @throws BackupError when it is none or cannot be read, SecretKeyError when SECRET_KEY is not the one that it was made with.
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
    await requireKnown(header);
    return { header, lines: { [Symbol.asyncIterator]: () => source }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Fills a database without tenants from a backup, all of it or nothing, brings it up to date and returns how many rows there
 * are. @throws BackupError when the lines end early or do not fit the database, DatabaseError when its tenants are spread over
 * nodes. Nothing is restored then.
 */
export async function restoreBackup(
  database: SqlPool,
  backup: OpenBackup,
  dependent: DependentTables,
): Promise<number> {
  try {
    await requireOneServer(database.pool);
    await makeSchema(database, backup.header);
    const rows = await fillTables(database, backup.lines, dependent);
    await migrate(database);
    return rows;
  } finally {
    await backup.close();
  }
}

async function requireKnown({ migrations, version }: BackupHeader): Promise<void> {
  const refusal = refusalOf(migrations, (await readSchemaFiles()).migrations);
  if (refusal !== null)
    throw new BackupError(`The backup was written by Tessera ${version}; its database ${refusal}`);
}

/** Makes the schema that the backup was written with: migrations that are newer come when its rows are there. */
async function makeSchema(database: SqlPool, { migrations, version }: BackupHeader): Promise<void> {
  const { applied } = await readSchemaState(database.pool);
  if (applied.length !== 0 && applied.length !== migrations.length)
    throw new BackupError(
      `The database has the schema of another version than the backup (Tessera ${version}). Restore into an empty one.`,
    );
  const files = await readSchemaFiles();
  const isOlder = migrations.length < files.migrations.length;
  await migrate(database, isOlder ? olderSchema(files, migrations.length) : files);
}

/** Returns how many rows there are. They are one transaction, but for those of dependent tables. */
async function fillTables(
  database: SqlPool,
  lines: AsyncIterable<string>,
  dependent: DependentTables,
): Promise<number> {
  const client = await database.pool.connect();
  const making = new DependentMaking(database, client, dependent);
  try {
    await client.query('reset role');
    await client.query('begin');
    await client.query(exactTexts('transaction'));
    const tables = (await listTables(client, dependent)).filter(({ name }) => isOwn(name));
    await clear(client, tables);
    const rows = await fillAndCommit(client, tables, lines, making);
    await client.query(`analyze ${sqlNames(tables.map(({ name }) => name))}`);
    return rows;
  } finally {
    // Whatever state it is in.
    client.release(true);
  }
}

async function fillAndCommit(
  client: pg.PoolClient,
  tables: readonly BackupTable[],
  lines: AsyncIterable<string>,
  making: DependentMaking,
): Promise<number> {
  await making.drop();
  try {
    const rows = await fill(client, tables, lines, making);
    await making.finish();
    await client.query('commit');
    return rows;
  } catch (error) {
    // What cannot be dropped any more, the next restore drops.
    await dropMade(client, making).catch(() => {});
    throw error;
  } finally {
    making.end();
  }
}

async function dropMade(client: pg.PoolClient, making: DependentMaking): Promise<void> {
  await client.query('rollback');
  await client.query('begin');
  // Whoever has the table is another restore, which drops them itself.
  await requireEmpty(client, 'nowait');
  await making.drop();
  await client.query('commit');
}

/** A start that came before the restore has left its schedules and its key. */
async function clear(client: pg.PoolClient, tables: readonly BackupTable[]): Promise<void> {
  await requireEmpty(client);
  await client.query(`truncate ${sqlNames(tables.map(({ name }) => name))}`);
}

/** Nobody makes a tenant between this look and the end of the transaction. */
async function requireEmpty(client: pg.PoolClient, wait: '' | 'nowait' = ''): Promise<void> {
  await client.query(`lock table tenants in access exclusive mode ${wait}`);
  const { rows } = await client.query<{ code: string }>('select code from tenants limit 1');
  if (rows[0] !== undefined)
    throw new BackupError(
      `The database has tenants already (${rows[0].code}). Restore into an empty one: another DATABASE_URL, or another DATA_DIR.`,
    );
}

async function fill(
  client: pg.PoolClient,
  tables: readonly BackupTable[],
  lines: AsyncIterable<string>,
  making: DependentMaking,
): Promise<number> {
  let known = byName(tables);
  let areAllMade = false;
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
    // All own tables come before: what others follow from is there.
    if (!areAllMade && !('table' in line && isOwn(line.table))) {
      known = byName(await making.make());
      areAllMade = true;
    }
    if ('table' in line) {
      insert = insertInto(line, known.get(line.table));
      writer = isOwn(line.table) ? client : await making.writer();
    } else if (line.rows === count) return count;
    else throw new BackupError(`The backup should have ${line.rows} rows and has ${count}.`);
  }
  throw new BackupError('The backup is cut off: its end is missing.');
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
