import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { openDatabase } from '../db/open-database.ts';
import type { SqlPool } from '../db/pool.ts';
import { openPlatform } from '../open-platform.ts';
import type { Platform } from '../platform.ts';

/** Commands say themselves what they do. */
const quiet = pino({ level: 'silent' });

/** Runs `work` on the platform of the configuration, which serves nobody, and lets it go. @throws as `openPlatform`. */
export async function withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T> {
  await using releases = new AsyncDisposableStack();
  const { platform } = await openPlatform(loadConfig(), { log: quiet }, releases);
  return await work(platform);
}

/** Runs `work` on the database as it is, whatever its schema. @throws as `openDatabase`. */
export async function withDatabase<T>(
  work: (database: SqlPool, config: Config) => Promise<T>,
  config = loadConfig(),
): Promise<T> {
  await using releases = new AsyncDisposableStack();
  return await work(await openDatabase(config, releases), config);
}
