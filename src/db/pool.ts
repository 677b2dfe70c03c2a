/**
 * Connections to PostgreSQL, embedded (PGlite) or server, behind one `pg.Pool`, so that the rest of the code
 * cannot tell them apart. PGlite has a single connection: its pool holds one.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { copyDatabaseImage } from './database-image.ts';
import { parseWritten } from './written-json.ts';

/** A pool of `size` connections and how to end it. `kind` is for messages and metrics only. */
export interface SqlPool {
  readonly kind: 'embedded' | 'server';
  readonly size: number;
  /** Of a server, with its credentials; null: it is embedded. */
  readonly url: string | null;
  readonly pool: pg.Pool;
  /** A connection of the pool, to be released. */
  connect(): Promise<pg.PoolClient>;
  close(): Promise<void>;
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const JSON_TYPE = 114;
const SERVER_POOL_SIZE = 10;
/**
 * The start writes to every page of them, so all are resident, whether they are used or not: at the default of 128 MB
 * they were a third of an idle process. What falls out of them is in the page cache of the system.
 */
const EMBEDDED_BUFFERS = '32MB';
/** How long to wait for a connection, be it made or given back by others: a server that is silent must not hold requests for ever. */
const CONNECTION_TIMEOUT_MS = 15_000;

/**
 * Times leave the database as ISO 8601 UTC with milliseconds (docs/specification/conventions.md#bodies),
 * counts as numbers.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === TIMESTAMPTZ) return toIsoTime;
    if (format !== 'binary' && oid === INT8) return Number;
    if (format !== 'binary' && oid === JSON_TYPE) return parseWritten;
    return pg.types.getTypeParser(oid, format);
  },
};

/** `2026-11-21 13:36:15.035012+00`; other zones and years beyond 9999 take the long way. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** A list of 20 has 60 times, and going through `Date` costs five times as much as taking the text apart. */
function toIsoTime(text: string): string {
  const [, day, time, fraction = ''] = UTC_TIME.exec(text) ?? [];
  if (day === undefined) return new Date(text).toISOString();
  return `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

/** Opens a pool to the server at `url` (PostgreSQL 15 or newer). Connections are made on first use. */
export function openServerPool(url: string, size = SERVER_POOL_SIZE): SqlPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    keepAlive: true,
    // What is asked for before the last answer has come is sent at once; otherwise nothing changes.
    pipeline: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // A connection that breaks fails the statement on it, if any, and is replaced on next use. Without a listener it
  // would end the process: on the pool for idle ones, on itself for one that is in use, between two statements.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    kind: 'server',
    size,
    url,
    pool,
    connect: () => pool.connect(),
    close: () => pool.end(),
  };
}

/** Opens the embedded database in `<dataDir>/db`, creating it when absent: from the image where there is one. The caller holds the folder's lock. */
export async function openEmbeddedPool(dataDir: string): Promise<SqlPool> {
  const folder = join(dataDir, 'db');
  await mkdir(folder, { recursive: true });
  if (!existsSync(join(folder, 'PG_VERSION'))) await copyDatabaseImage(folder);
  const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${EMBEDDED_BUFFERS}`];
  const lite = await PGlite.create(folder, { startParams });
  const pool = new pg.Pool({ ...createPgConfig(lite), max: 1, idleTimeoutMillis: 0, types });
  let turn = nextTurn();
  return {
    kind: 'embedded',
    size: 1,
    url: null,
    pool,
    // It answers without a turn of the event loop. Without one between two transactions a busy process would go from
    // one to the next, and take a new connection only when no request is left: under load after seconds.
    async connect() {
      const client = await pool.connect();
      await turn;
      turn = nextTurn();
      return client;
    },
    async close() {
      await pool.end();
      await lite.close();
    },
  };
}
