import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { DataFolderError, lockDataFolder } from './data-folder-lock.ts';
import { connectionFailure, DatabaseError } from './database-error.ts';
import { type NewDatabase, openEmbeddedPool, openServerPool, type SqlPool } from './pool.ts';

const MIN_VERSION = 15;

/** Location of the configured database. */
export type DatabaseLocation = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** True if the database exists; the first start creates the embedded one. */
export function hasDatabase({ dataDir, databaseUrl }: DatabaseLocation): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'db', 'PG_VERSION'));
}

/** Requires an existing database, for commands that have nothing to do on a new one. @throws DataFolderError */
export function requireDatabase(location: DatabaseLocation): void {
  if (hasDatabase(location)) return;
  throw new DataFolderError(
    `There is no database in the data folder ${location.dataDir} yet: the first start creates it. If it is elsewhere, set DATA_DIR or DATABASE_URL.`,
  );
}

/**
 * Opens the configured database, the embedded one under a lock on its folder. A missing embedded one is created with
 * what `create` says. `releases` closes it.
 * @throws DatabaseError or DataFolderError, with one line for the operator, if it cannot be opened.
 */
export async function openDatabase(
  { dataDir, databaseUrl }: DatabaseLocation,
  releases: AsyncDisposableStack,
  create?: NewDatabase,
): Promise<SqlPool> {
  if (databaseUrl !== null) {
    const pool = openServerPool(databaseUrl);
    releases.defer(() => pool.close());
    await requireVersion(pool);
    return pool;
  }
  const lock = await lockDataFolder(dataDir);
  releases.defer(() => lock.release());
  const pool = await openEmbeddedPool(dataDir, create);
  releases.defer(() => pool.close());
  return pool;
}

async function requireVersion({ pool }: SqlPool): Promise<void> {
  const { rows } = await pool
    .query<{ version: string }>("select current_setting('server_version') as version")
    .catch((error: unknown) => {
      throw connectionFailure(error);
    });
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new DatabaseError(`the server is PostgreSQL ${version}; ${MIN_VERSION} or newer is needed`);
}
