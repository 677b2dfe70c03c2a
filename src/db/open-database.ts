import { mkdir } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { connectionFailure, DatabaseError } from './database-error.ts';
import { openEmbeddedPool, openServerPool, type SqlPool } from './pool.ts';

const LEAST_VERSION = 15;

/**
 * Opens the database that the configuration names, the embedded one under a lock on its folder; `releases` closes it.
 * @throws DatabaseError or DataFolderError, with one line for the operator, when it cannot be had.
 */
export async function openDatabase(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  releases: AsyncDisposableStack,
): Promise<SqlPool> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
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
