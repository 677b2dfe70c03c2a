/**
 * The configuration: environment variables, described once as data, read once at start
 * (docs/specification/running.md#configuration). Nothing else reads `process.env`. config.example.env is
 * tested against the same data.
 */
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { VARIABLES } from './config-table.ts';
import * as values from './config-values.ts';
import { ConfigError, parsed, readAll, type ValuesOf, type VariableDescription } from './config-variables.ts';
import { readOrCreateSecretFile, readSecretFile } from './secrets/secret-file.ts';

export { ConfigError } from './config-variables.ts';

/** The configuration. Frozen, except for the bytes of the keys (Node cannot freeze a Buffer). */
export interface Config
  extends Omit<ValuesOf<typeof VARIABLES>, 'adminToken' | 'secretKey' | 'outboundAllowPrivate'> {
  readonly adminToken: string;
  /** 32 bytes. */
  readonly secretKey: Buffer;
  readonly outboundAllowPrivate: boolean;
}

const ADMIN_TOKEN_FILE = { file: 'admin-token', encoding: 'base64url', parse: values.headerToken } as const;
const SECRET_KEY_FILE = { file: 'secret-key', encoding: 'base64', parse: values.key32 } as const;

/** Every variable, in the order of config.example.env. */
export const CONFIG_VARIABLES: readonly VariableDescription[] = Object.values(VARIABLES);

/**
 * The configuration before secrets are generated; null: a secret has neither a variable nor a file in the data folder.
 */
export interface FoundConfig extends Omit<Config, 'adminToken' | 'secretKey'> {
  readonly adminToken: string | null;
  readonly secretKey: Buffer | null;
}

/**
 * Reads and validates all variables and the secrets in the data folder, without creating any. Blank variables count as
 * absent. @throws ConfigError for the first invalid variable.
 */
export function findConfig(env: Readonly<Record<string, string | undefined>> = process.env): FoundConfig {
  const given = readAll(VARIABLES, env);
  if (given.secretKey === null && given.databaseUrl !== null) {
    throw new ConfigError(
      'SECRET_KEY',
      'is required when DATABASE_URL is set (create one with: openssl rand -base64 32)',
    );
  }
  if (given.embeddingsBaseUrl !== null && given.embeddingsModel === null)
    throw new ConfigError('EMBEDDINGS_MODEL', 'is required when EMBEDDINGS_BASE_URL is set');
  const dataDir = resolve(given.dataDir);
  return Object.freeze({
    ...given,
    dataDir,
    outboundAllowPrivate: given.outboundAllowPrivate ?? given.environment === 'Local',
    adminToken: given.adminToken ?? stored('ADMIN_TOKEN', dataDir, ADMIN_TOKEN_FILE),
    secretKey: given.secretKey ?? stored('SECRET_KEY', dataDir, SECRET_KEY_FILE),
  });
}

/**
 * Reads the configuration like `findConfig`, and creates missing secrets in the data folder, where later starts find
 * them.
 * @throws ConfigError for the first invalid variable; nothing is created then.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const found = findConfig(env);
  return Object.freeze<Config>({
    ...found,
    adminToken: found.adminToken ?? generated('ADMIN_TOKEN', found.dataDir, ADMIN_TOKEN_FILE),
    secretKey: found.secretKey ?? generated('SECRET_KEY', found.dataDir, SECRET_KEY_FILE),
  });
}

/** Variables of `tessera import`, which is a client of a server and needs none of the others; blank ones are absent. */
export interface ImportVariables {
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly sourceToken: string | undefined;
}

/** Reads the variables of `tessera import`. */
export function readImportVariables(): ImportVariables {
  const { TESSERA_URL, TESSERA_API_KEY, SOURCE_TOKEN } = process.env;
  const read = (text = '') => text.trim() || undefined;
  return { url: read(TESSERA_URL), apiKey: read(TESSERA_API_KEY), sourceToken: read(SOURCE_TOKEN) };
}

interface GeneratedSecret<T> {
  file: string;
  encoding: 'base64' | 'base64url';
  parse: values.ValueParser<T>;
}

/** Reads a secret from its file in the data folder; null: there is no file. */
function stored<T>(name: string, dataDir: string, secret: GeneratedSecret<T>): T | null {
  const path = join(dataDir, secret.file);
  const text = onDisk(name, () => readSecretFile(path));
  return text === null ? null : parsed(name, secret.parse, text, `in the file ${path} `);
}

/** Reads a secret of 32 random bytes from its file in the data folder, or creates it. */
function generated<T>(name: string, dataDir: string, secret: GeneratedSecret<T>): T {
  const path = join(dataDir, secret.file);
  const generate = () => randomBytes(32).toString(secret.encoding);
  const text = onDisk(name, () => readOrCreateSecretFile(path, generate));
  return parsed(name, secret.parse, text, `in the file ${path} `);
}

function onDisk<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError('DATA_DIR', `cannot hold the generated ${name}: ${reason}`, { cause: error });
  }
}
