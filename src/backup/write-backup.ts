import pg from 'pg';
import { readSchemaState } from '../db/migrator.ts';
import type { SqlPool } from '../db/pool.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type KeyCheck, requireKeys } from '../secrets/secret-keys.ts';
import { version } from '../version.ts';
import {
  BackupError,
  type BackupHeader,
  type EndLine,
  FORMAT_VERSION,
  type TableLine,
} from './backup-format.ts';
import { requireOneServer } from './one-server.ts';
import { TableConnections } from './table-connections.ts';
import {
  type BackupTable,
  type DependentTables,
  exactTexts,
  isOwn,
  listTables,
  sqlNames,
  sqlTable,
} from './tables.ts';

const BEGIN = 'begin transaction isolation level repeatable read read only';
/** How much is read at once, or one row: memory holds a few times that, however large the tables are. */
const READ_BYTES = 2 * 1024 * 1024;
const READ_ROWS = 2000;

/**
 * The lines of a backup, many at a time, as the database was at one moment; others may go on writing.
 * @throws SecretKeyError when SECRET_KEY is not the database's: the backup would be restored with the wrong one.
 * @throws DatabaseError when the tenants are spread over nodes.
 */
export async function* writeBackup(
  database: SqlPool,
  secrets: SecretBox,
  now: Date,
  dependent: DependentTables,
): AsyncGenerator<string, void> {
  const client = await database.pool.connect();
  const others = new TableConnections(database, client, async (other) => {
    const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
    await other.query('reset role');
    await other.query(BEGIN);
    await other.query(`set transaction snapshot ${pg.escapeLiteral(rows[0]?.id ?? '')}`);
    await other.query(exactTexts('transaction'));
  });
  try {
    await client.query('reset role');
    await requireOneServer(client);
    const { applied } = await readSchemaState(client);
    if (applied.length === 0) throw new BackupError('The database is empty.');
    await client.query(BEGIN);
    await client.query(dependent.hold);
    await client.query(exactTexts('transaction'));
    const header = await readHeader(client, now);
    requireKeys(secrets, header.keys, 'database');
    yield toLine(header);
    let rows = 0;
    for (const table of await listTables(client, dependent)) {
      yield toLine({ table: table.name, columns: [...table.columns.keys()] });
      const reader = isOwn(table.name) ? client : await others.next();
      // Nobody changes dependent tables, so that they need no locks until the end: a server has room for some thousands, and
      // a thousand tenants have more tables.
      if (!isOwn(table.name)) await reader.query('savepoint before_table');
      for await (const lines of readRows(reader, table)) {
        rows += lines.length;
        yield `${lines.join('\n')}\n`;
      }
      if (!isOwn(table.name)) await reader.query('rollback to before_table; release before_table');
    }
    yield toLine({ rows });
  } finally {
    others.end();
    // With the transaction on it.
    client.release(true);
  }
}

function toLine(line: BackupHeader | TableLine | EndLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** The migrations are those of the moment that the rows are of: a start may be applying others meanwhile. */
async function readHeader(client: pg.PoolClient, now: Date): Promise<BackupHeader> {
  const { rows: applied } = await client.query<{ name: string }>(
    'select name from schema_migrations order by number',
  );
  const { rows: keys } = await client.query<KeyCheck>('select key_id, check_value from secret_keys');
  return {
    tessera_backup: FORMAT_VERSION,
    version,
    created_at: now.toISOString(),
    keys,
    migrations: applied.map(({ name }) => name),
  };
}

/**
 * The rows of a table as lines, in lots that memory has room for. A second cursor goes ahead and tells how long they
 * are: rows without any text may stand beside such of many megabytes.
 */
async function* readRows(
  client: pg.PoolClient,
  { name, columns }: BackupTable,
): AsyncGenerator<string[], void> {
  const texts = [...columns.keys()].map((column) => `${sqlNames([column])}::text`);
  const rows = `from (select json_build_array(${texts.join(', ')})::text as line from ${sqlTable(name)}) r`;
  await client.query(`declare sizes no scroll cursor for select octet_length(line) as size ${rows}`);
  await client.query(`declare lines no scroll cursor for select line ${rows}`);
  for (;;) {
    const ahead = await client.query<{ size: number }>(`fetch ${READ_ROWS} from sizes`);
    if (ahead.rows.length === 0) break;
    for (const count of lotsOf(ahead.rows.map(({ size }) => size))) {
      const lot = await client.query<{ line: string }>(`fetch ${count} from lines`);
      yield lot.rows.map(({ line }) => line);
    }
  }
  await client.query('close sizes; close lines');
}

/** How many rows of these sizes are read at once, one lot after the other. */
function lotsOf(sizes: readonly number[]): number[] {
  const lots: number[] = [];
  let room = 0;
  for (const size of sizes) {
    room -= size;
    if (room < 0) {
      room = READ_BYTES - size;
      lots.push(0);
    }
    lots.push((lots.pop() ?? 0) + 1);
  }
  return lots;
}
