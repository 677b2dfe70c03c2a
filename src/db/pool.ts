/**
 * Connections to PostgreSQL, embedded (PGlite) or on a server, behind one `pg.Pool`, so that other code does not depend
 * on the kind. PGlite has a single connection, so its pool has one.
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

/** A pool of `size` connections to the embedded database or a server. */
export interface SqlPool {
  readonly kind: 'embedded' | 'server';
  readonly size: number;
  /** URL of the server with credentials; null: the database is embedded. */
  readonly url: string | null;
  readonly pool: pg.Pool;
  /** Returns a connection of the pool; the caller releases it. */
  connect(): Promise<pg.PoolClient>;
  close(): Promise<void>;
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const JSON_TYPE = 114;
const SERVER_POOL_SIZE = 10;
/**
 * Shared buffers of the embedded database. The start writes to all of them, so all use memory: the default of 128 MB
 * was a third of an idle process. Pages that do not fit are in the page cache of the operating system.
 */
const EMBEDDED_BUFFERS = '32MB';
/** Longest wait for a new or a released connection, in ms, so that a silent server does not block requests for ever. */
const CONNECTION_TIMEOUT_MS = 15_000;

/**
 * Parsers of column values: times become ISO 8601 UTC with milliseconds (docs/specification/conventions.md#bodies),
 * counts become numbers.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === TIMESTAMPTZ) return toIsoTime;
    if (format !== 'binary' && oid === INT8) return Number;
    if (format !== 'binary' && oid === JSON_TYPE) return parseWritten;
    return pg.types.getTypeParser(oid, format);
  },
};

/** Matches `2026-11-21 13:36:15.035012+00`; other zones and years beyond 9999 are parsed by `Date`. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** Converts a timestamp without `Date`, which is five times as slow: a list of 20 records has 60 timestamps. */
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
    // Send queries without waiting for the previous result; nothing else changes.
    pipeline: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // A broken connection fails its statement and is replaced on next use. Without these listeners its error event
  // would end the process, both for idle connections and between two statements.
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

/** Content of a new embedded database: the current schema if there is an image of it, or nothing. */
export type NewDatabase = 'image' | 'empty';

/** Opens the embedded database in `<dataDir>/db`; a missing one is created. The caller must have the folder's lock. */
export async function openEmbeddedPool(dataDir: string, create: NewDatabase = 'image'): Promise<SqlPool> {
  const folder = join(dataDir, 'db');
  await mkdir(folder, { recursive: true });
  if (create === 'image' && !existsSync(join(folder, 'PG_VERSION'))) await copyDatabaseImage(folder);
  const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${EMBEDDED_BUFFERS}`];
  const lite = await PGlite.create(folder, { startParams });
  const pool = new pg.Pool({ Client: embeddedClient(lite), max: 1, idleTimeoutMillis: 0 });
  pool.on('connect', startSession);
  let turn = nextTurn();
  return {
    kind: 'embedded',
    size: 1,
    url: null,
    pool,
    // PGlite responds without a turn of the event loop. Without a turn between transactions, a busy process would
    // accept new connections only when no request is left, which took seconds under load.
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

/**
 * Returns the class of clients of an embedded database. Each client has a configuration of its own: clients that share
 * one get each other's results.
 */
function embeddedClient(lite: PGlite): new () => pg.Client {
  return class extends pg.Client {
    constructor() {
      super({ ...createPgConfig(lite), types });
    }
  };
}

/** Clears the transaction, role, settings and statements of the last connection: all share one session of PGlite. */
function startSession(client: pg.PoolClient): void {
  // Ignore failures: the next statement on this connection then fails as well.
  for (const command of ['rollback', 'discard all']) client.query(command).catch(() => {});
}
