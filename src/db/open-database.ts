import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { DataFolderError, lockDataFolder } from './data-folder-lock.ts';
import { connectionFailure, DatabaseError } from './database-error.ts';
import { openEmbeddedPool, openServerPool, type SqlPool } from './pool.ts';

const LEAST_VERSION = 15;

/** Which database the configuration names. */
export type DatabasePlace = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** Whether there is something to open: the embedded database comes with the first start. */
export function hasDatabase({ dataDir, databaseUrl }: DatabasePlace): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'db', 'PG_VERSION'));
}

/** For what would make no sense on a database that it makes itself. @throws DataFolderError */
export function requireDatabase(place: DatabasePlace): void {
  if (hasDatabase(place)) return;
  throw new DataFolderError(
    `There is no database in the data folder ${place.dataDir} yet: the first start makes it. Set DATA_DIR or DATABASE_URL where it is elsewhere.`,
  );
}

/**
 * Opens the database that the configuration names, the embedded one under a lock on its folder; `releases` closes it.
 * @throws DatabaseError or DataFolderError, with one line for the operator, when it cannot be had.
 */
export async function openDatabase(
  { dataDir, databaseUrl }: DatabasePlace,
  releases: AsyncDisposableStack,
): Promise<SqlPool> {
  if (databaseUrl !== null) {
    const pool = openServerPool(databaseUrl);
    releases.defer(() => pool.close());
    await requireVersion(pool);
    return pool;
  }
  const lock = await lockDataFolder(dataDir);
  releases.defer(() => lock.release());
  const pool = await openEmbeddedPool(dataDir);
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
  if (Number.parseInt(version, 10) < LEAST_VERSION)
    throw new DatabaseError(`the server is PostgreSQL ${version}; ${LEAST_VERSION} or newer is needed`);
}
