import { pino } from 'pino';
import { type Config, ConfigError, type FoundConfig, findConfig, loadConfig } from '../config.ts';
import { hasDatabase, openDatabase } from '../db/open-database.ts';
import type { NewDatabase, SqlPool } from '../db/pool.ts';
import { runAs } from '../db/work-kind.ts';
import { openPlatform } from '../open-platform.ts';
import type { Platform } from '../platform.ts';

/** Commands print their own output. */
const quiet = pino({ level: 'silent' });

/** A configuration with the key that its database uses. */
export type KeyedConfig = FoundConfig & Pick<Config, 'secretKey'>;

/** Runs `work` on a platform that serves no requests, and closes it. @throws the errors of `openPlatform`. */
export async function withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T> {
  await using releases = new AsyncDisposableStack();
  const { platform } = await openPlatform(loadStartConfig(), { log: quiet }, releases);
  return await runAs('job', () => work(platform));
}

/** Runs `work` on the database without migrating it. @throws the errors of `openDatabase`. */
export async function withDatabase<T>(
  config: FoundConfig,
  work: (database: SqlPool) => Promise<T>,
  create?: NewDatabase,
): Promise<T> {
  await using releases = new AsyncDisposableStack();
  return await work(await openDatabase(config, releases, create));
}

/** Loads the configuration of a start, which creates secrets only together with their database. @throws ConfigError */
export function loadStartConfig(): Config {
  const found = findConfig();
  if (hasDatabase(found)) requireKey(found, 'database');
  return loadConfig();
}

/**
 * Requires an existing key: a new one could not decrypt the data of `of` ("backup").
 * @throws ConfigError when there is none.
 */
export function requireKey(found: FoundConfig, of: string): KeyedConfig {
  const { secretKey } = found;
  if (secretKey === null)
    throw new ConfigError(
      'SECRET_KEY',
      `is missing: this ${of} already has a key, but neither the variable nor ${found.dataDir}/secret-key contains one. Set the original key.`,
    );
  return { ...found, secretKey };
}
