import type pg from 'pg';
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
import { type BackupTable, EXACT_TEXTS, listTables, sqlNames } from './tables.ts';

/** About how much is read at once: memory holds a few times that, however large the tables are. */
const READ_BYTES = 2 * 1024 * 1024;
const FIRST_ROWS = 16;
const MOST_ROWS = 2000;

/**
 * The lines of a backup, many at a time, as the database was at one moment; others may go on writing.
 * @throws SecretKeyError when SECRET_KEY is not the database's: the backup would be restored with the wrong one.
 */
export async function* writeBackup(
  { pool }: SqlPool,
  secrets: SecretBox,
  now: Date,
): AsyncGenerator<string, void> {
  const client = await pool.connect();
  try {
    await client.query('reset role');
    const { applied } = await readSchemaState(client);
    if (applied.length === 0) throw new BackupError('The database is empty.');
    await client.query('begin transaction isolation level repeatable read read only');
    await client.query(EXACT_TEXTS);
    const header = { ...(await readHeader(client, now)), migrations: [...applied] };
    requireKeys(secrets, header.keys, 'database');
    yield toLine(header);
    let rows = 0;
    for (const table of await listTables(client)) {
      yield toLine({ table: table.name, columns: [...table.columns.keys()] });
      for await (const lines of readRows(client, table)) {
        rows += lines.length;
        yield `${lines.join('\n')}\n`;
      }
    }
    yield toLine({ rows });
  } finally {
    // With the transaction on it.
    client.release(true);
  }
}

function toLine(line: BackupHeader | TableLine | EndLine): string {
  return `${JSON.stringify(line)}\n`;
}

async function readHeader(client: pg.PoolClient, now: Date): Promise<Omit<BackupHeader, 'migrations'>> {
  const { rows } = await client.query<{ is_there: boolean }>(
    "select to_regclass('secret_keys') is not null as is_there",
  );
  const keys = rows[0]?.is_there
    ? (await client.query<KeyCheck>('select key_id, check_value from secret_keys')).rows
    : [];
  return {
    tessera_backup: FORMAT_VERSION,
    version,
    created_at: now.toISOString(),
    keys,
  };
}

/** The rows of a table as lines, in lots of about the same size. */
async function* readRows(
  client: pg.PoolClient,
  { name, columns }: BackupTable,
): AsyncGenerator<string[], void> {
  const texts = [...columns.keys()].map((column) => `${sqlNames([column])}::text`);
  await client.query(
    `declare backup no scroll cursor for select json_build_array(${texts.join(', ')})::text as line from ${sqlNames([name])}`,
  );
  for (let count = FIRST_ROWS; ; ) {
    const { rows } = await client.query<{ line: string }>(`fetch ${count} from backup`);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    yield lines;
    const size = lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
    count = Math.ceil(Math.min(MOST_ROWS, count * 4, READ_BYTES / size));
  }
  await client.query('close backup');
}
