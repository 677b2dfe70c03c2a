/**
 * The configuration: environment variables, described once as data, read once at start
 * (docs/specification/running.md#configuration). Nothing else reads `process.env`. config.example.env is
 * tested against the same data.
 */
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import * as values from './config-values.ts';
import {
  ConfigError,
  optional,
  parsed,
  readAll,
  type ValuesOf,
  type VariableDescription,
  withDefault,
} from './config-variables.ts';
import { readOrCreateSecretFile, readSecretFile } from './secrets/secret-file.ts';

const ENVIRONMENTS = ['Local', 'Development', 'UAT', 'PreProduction', 'Production'] as const;
const ROLES = ['all', 'api', 'worker'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const THIRTY_DAYS_IN_SECONDS = 2_592_000;

export { ConfigError } from './config-variables.ts';

/** By the name that each has in the code. The order is that of config.example.env. */
const VARIABLES = {
  /** 0 lets the system pick one. */
  port: withDefault(
    'PORT',
    '3000',
    'Port of the HTTP server; 0 lets the system pick one.',
    values.integer(0, 65535),
  ),
  host: withDefault('HOST', '127.0.0.1', 'Address of the HTTP server.', values.hostName),
  /** No trailing slash; null: `http://localhost:<the real port>`. */
  publicUrl: optional(
    'PUBLIC_URL',
    'Base of every link that leaves the system (tracking, unsubscribing, embeds); http://localhost:<PORT> when absent.',
    values.baseUrl,
  ),
  environment: withDefault(
    'ENVIRONMENT',
    'Local',
    `Name in the health check: ${ENVIRONMENTS.join(', ')}.`,
    values.oneOf(ENVIRONMENTS),
  ),
  /** Absolute. */
  dataDir: withDefault(
    'DATA_DIR',
    './data',
    'Folder of the embedded database, of assets and of generated secrets.',
    values.folderPath,
  ),
  /** null: the embedded database in `dataDir`. */
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL 15 or newer; when absent the embedded database in DATA_DIR is used.',
    values.urlOf('postgres:', 'postgresql:'),
    { secret: true },
  ),
  role: withDefault('ROLE', 'all', 'Which part this process runs: all, api, worker.', values.oneOf(ROLES)),
  adminToken: optional(
    'ADMIN_TOKEN',
    'Operator token for /admin; when absent it is generated into DATA_DIR/admin-token.',
    values.headerToken,
    { secret: true },
  ),
  secretKey: optional(
    'SECRET_KEY',
    '32 bytes in base64; encrypts secrets at rest and signs tokens. Required when DATABASE_URL is set, else generated into DATA_DIR/secret-key.',
    values.key32,
    { secret: true },
  ),
  /** null: no key is being rotated. */
  secretKeyPrevious: optional(
    'SECRET_KEY_PREVIOUS',
    'The SECRET_KEY of before, while what it sealed is sealed anew with the present one; what it signed stays good as long as it is set.',
    values.key32,
    { secret: true },
  ),
  /** Credentials included; null: messages are captured in the outbox. */
  smtpUrl: optional(
    'SMTP_URL',
    'Relay that takes outgoing mail, smtp:// or smtps:// with user and password; when absent messages are captured in the outbox, readable at /admin/outbox.',
    values.relayUrl,
    { secret: true },
  ),
  /** Bare, in lower case. */
  sandboxSendingDomain: withDefault(
    'SANDBOX_SENDING_DOMAIN',
    'sandbox.localhost',
    'Sender domain of transmissions with options.sandbox.',
    values.domainName,
  ),
  smtpConnections: withDefault(
    'SMTP_CONNECTIONS',
    '5',
    'Pooled connections to the relay per worker.',
    values.integer(1, 1000),
  ),
  /** null: bounces are not received here. */
  bounceSmtpPort: optional(
    'BOUNCE_SMTP_PORT',
    'Port of the SMTP receiver for delivery-status notifications, feedback reports and mailto unsubscribes; 0 lets the system pick one; no receiver when absent.',
    values.integer(0, 65535),
  ),
  redisUrl: optional(
    'REDIS_URL',
    'Shared rate-limit counters when several API processes run; in-process when absent.',
    values.urlOf('redis:', 'rediss:'),
    { secret: true },
  ),
  /** null: assets are files in `dataDir`. */
  s3Url: optional(
    'S3_URL',
    'S3-compatible bucket for assets, https://KEY:SECRET@host/bucket?region=us-east-1; files in DATA_DIR/assets when absent.',
    values.bucketUrl,
    { secret: true },
  ),
  /** null: the resolvers of the system. Hosts are IP addresses. */
  dnsServers: optional(
    'DNS_SERVERS',
    "Comma-separated resolvers (host:port, the host an IP address, the port 53 when absent) for the checks of sending domains; the system's when absent.",
    values.dnsServers,
  ),
  webhookBackoffSeconds: withDefault(
    'WEBHOOK_BACKOFF_SECONDS',
    '5,300,1800,7200',
    'The four waits between the five attempts of a delivery; fractions allowed.',
    values.secondsList(4, THIRTY_DAYS_IN_SECONDS),
  ),
  webhookTimeoutSeconds: withDefault(
    'WEBHOOK_TIMEOUT_SECONDS',
    '15',
    "Time for one attempt, the answer's body included; fractions allowed.",
    values.positiveSeconds(3600),
  ),
  outboundAllowPrivate: optional(
    'OUTBOUND_ALLOW_PRIVATE',
    'Whether outbound calls may reach loopback, private, link-local and other special-purpose addresses (true, false); when absent, true in the environment Local only. Cloud metadata addresses are always blocked.',
    values.yesNo('true', 'false'),
  ),
  rateLimits: withDefault(
    'RATE_LIMITS',
    'on',
    'off disables every limit (benchmarks, tests).',
    values.yesNo('on', 'off'),
  ),
  jobBatchSize: withDefault(
    'JOB_BATCH_SIZE',
    '1000',
    'Rows that a job deletes or writes at once; reported by the health check.',
    values.integer(1, 100_000),
  ),
  transmissionBatchSize: withDefault(
    'TRANSMISSION_BATCH_SIZE',
    '500',
    'Messages that a worker has claimed at once in each lane (transactional, other); reported by the health check.',
    values.integer(1, 100_000),
  ),
  /** null: none. */
  corsOrigins: optional(
    'CORS_ORIGINS',
    'Comma-separated origins (https://app.example.com) whose pages may sign people in and call the API of entity records from a browser; none when absent.',
    values.origins,
  ),
  /** true: the one proxy that connects; or the addresses and CIDR ranges whose `X-Forwarded-*` is believed. */
  trustProxy: withDefault(
    'TRUST_PROXY',
    'false',
    'Whether X-Forwarded-* names the client: false, true behind one proxy, or the addresses and CIDR ranges of all.',
    values.trustProxy,
  ),
  logLevel: withDefault(
    'LOG_LEVEL',
    'info',
    `Least severity logged: ${LOG_LEVELS.join(', ')}.`,
    values.oneOf(LOG_LEVELS),
  ),
};

/** Everything that the operator decides. Frozen, but for the bytes of the keys (Node cannot freeze a Buffer). */
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

/** The configuration as it is found: null is a secret that neither its variable nor its file in the data folder has. */
export interface FoundConfig extends Omit<Config, 'adminToken' | 'secretKey'> {
  readonly adminToken: string | null;
  readonly secretKey: Buffer | null;
}

/**
 * Reads and checks all variables, and the secrets in the data folder; blank variables count as absent. Makes nothing.
 * @throws ConfigError for the first that is wrong.
 */
export function findConfig(env: Readonly<Record<string, string | undefined>> = process.env): FoundConfig {
  const given = readAll(VARIABLES, env);
  if (given.secretKey === null && given.databaseUrl !== null) {
    throw new ConfigError(
      'SECRET_KEY',
      'is required when DATABASE_URL is set (create one with: openssl rand -base64 32)',
    );
  }
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
 * As `findConfig`; secrets that are not given are created in the data folder on the first start and found there by the
 * next. @throws ConfigError for the first variable that is wrong; then nothing is left behind.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const found = findConfig(env);
  return Object.freeze<Config>({
    ...found,
    adminToken: found.adminToken ?? generated('ADMIN_TOKEN', found.dataDir, ADMIN_TOKEN_FILE),
    secretKey: found.secretKey ?? generated('SECRET_KEY', found.dataDir, SECRET_KEY_FILE),
  });
}

interface GeneratedSecret<T> {
  file: string;
  encoding: 'base64' | 'base64url';
  parse: values.ValueParser<T>;
}

/** What the secret's file in the data folder holds; null when there is none. */
function stored<T>(name: string, dataDir: string, secret: GeneratedSecret<T>): T | null {
  const path = join(dataDir, secret.file);
  const text = onDisk(name, () => readSecretFile(path));
  return text === null ? null : parsed(name, secret.parse, text, `in the file ${path} `);
}

/** 32 random bytes, from their file in the data folder or created there. */
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
