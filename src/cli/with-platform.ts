import { pino } from 'pino';
import { type Config, ConfigError, type FoundConfig, findConfig, loadConfig } from '../config.ts';
import { hasDatabase, openDatabase } from '../db/open-database.ts';
import type { SqlPool } from '../db/pool.ts';
import { runAs } from '../db/work-kind.ts';
import { openPlatform } from '../open-platform.ts';
import type { Platform } from '../platform.ts';

/** Commands say themselves what they do. */
const quiet = pino({ level: 'silent' });

/** A configuration with the key that its database has. */
export type KeyedConfig = FoundConfig & Pick<Config, 'secretKey'>;

/** Runs `work` on the platform of the configuration, which serves nobody, and lets it go. @throws as `openPlatform`. */
export async function withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T> {
  await using releases = new AsyncDisposableStack();
  const { platform } = await openPlatform(loadStartConfig(), { log: quiet }, releases);
  return await runAs('job', () => work(platform));
}

/** Runs `work` on the database as it is, whatever its schema. @throws as `openDatabase`. */
export async function withDatabase<T>(
  config: FoundConfig,
  work: (database: SqlPool) => Promise<T>,
): Promise<T> {
  await using releases = new AsyncDisposableStack();
  return await work(await openDatabase(config, releases));
}

/** The configuration of a start, which makes secrets only together with their database. @throws ConfigError */
export function loadStartConfig(): Config {
  const found = findConfig();
  if (hasDatabase(found)) requireKey(found, 'database');
  return loadConfig();
}

/**
 * The configuration with a key that is there already: another one than that of `of` ("backup") would be of no use.
 * @throws ConfigError when there is none.
 */
export function requireKey(found: FoundConfig, of: string): KeyedConfig {
  const { secretKey } = found;
  if (secretKey === null)
    throw new ConfigError(
      'SECRET_KEY',
      `is missing: this ${of} has one already, and there is none in the variable nor in ${found.dataDir}/secret-key. Set the key that it had.`,
    );
  return { ...found, secretKey };
}
