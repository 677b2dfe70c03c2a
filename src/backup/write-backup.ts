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
/** Bytes per read (at least one row); memory use is a few times that, regardless of table sizes. */
const READ_BYTES = 2 * 1024 * 1024;
const READ_ROWS = 2000;

/**
 * Generates the lines of a backup, many at a time, from one snapshot of the database; other sessions may write
 * meanwhile.
 * @throws SecretKeyError if SECRET_KEY does not match the database; otherwise a restore would use the wrong key.
 * @throws DatabaseError if the tenants are spread over nodes.
 */
export async function* writeBackup(
  database: SqlPool,
  secrets: SecretBox,
  now: Date,
  dependent: DependentTables,
): AsyncGenerator<string, void> {
  const client = await database.pool.connect();
  const tableConnections = new TableConnections(database, client, async (other) => {
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
    await client.query(dependent.lock);
    await client.query(exactTexts('transaction'));
    const header = await readHeader(client, now);
    requireKeys(secrets, header.keys, 'database');
    yield toLine(header);
    let rows = 0;
    for (const table of await listTables(client, dependent)) {
      yield toLine({ table: table.name, columns: [...table.columns.keys()] });
      const reader = isOwn(table.name) ? client : await tableConnections.next();
      // Release the lock of each dependent table after reading it: a server can lock only a few thousand tables, and
      // `lock` already prevents changes.
      if (!isOwn(table.name)) await reader.query('savepoint before_table');
      for await (const lines of readRows(reader, table)) {
        rows += lines.length;
        yield `${lines.join('\n')}\n`;
      }
      if (!isOwn(table.name)) await reader.query('rollback to before_table; release before_table');
    }
    yield toLine({ rows });
  } finally {
    tableConnections.end();
    // Close the connection with its open transaction.
    client.release(true);
  }
}

function toLine(line: BackupHeader | TableLine | EndLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Reads the header in the snapshot of the rows, because a starting process may be applying migrations. */
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
 * Generates the rows of a table as lines, in batches of limited size. A second cursor reads the sizes first, because
 * small rows may alternate with rows of many megabytes.
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
    for (const count of batchSizes(ahead.rows.map(({ size }) => size))) {
      const batch = await client.query<{ line: string }>(`fetch ${count} from lines`);
      yield batch.rows.map(({ line }) => line);
    }
  }
  await client.query('close sizes; close lines');
}

/** Splits rows of these sizes into batches; returns their row counts. */
function batchSizes(sizes: readonly number[]): number[] {
  const batches: number[] = [];
  let remaining = 0;
  for (const size of sizes) {
    remaining -= size;
    if (remaining < 0) {
      remaining = READ_BYTES - size;
      batches.push(0);
    }
    batches.push((batches.pop() ?? 0) + 1);
  }
  return batches;
}
