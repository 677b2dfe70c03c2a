/** All environment variables, by their names in the code and in the order of config.example.env. */
import * as values from './config-values.ts';
import { optional, withDefault } from './config-variables.ts';

/** The smallest MEMORY_LIMIT: the program with its threads, and room for one large body. */
export const MIN_MEMORY_MIB = 512;

const ENVIRONMENTS = ['Local', 'Development', 'UAT', 'PreProduction', 'Production'] as const;
const ROLES = ['all', 'api', 'worker'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const THIRTY_DAYS_IN_SECONDS = 2_592_000;

/** Variables that config.ts reads. */
export const VARIABLES = {
  /** 0 lets the system pick one. */
  port: withDefault(
    'PORT',
    '3000',
    'Port of the HTTP server; 0 lets the system choose one.',
    values.integer(0, 65535),
  ),
  host: withDefault('HOST', '127.0.0.1', 'Listen address of the HTTP server.', values.hostName),
  /** No trailing slash; null: `http://localhost:<the real port>`. */
  publicUrl: optional(
    'PUBLIC_URL',
    'Base URL of every link that leaves the system (tracking, unsubscribing, embeds). Default: http://localhost:<PORT>.',
    values.baseUrl,
  ),
  console: withDefault(
    'CONSOLE',
    'on',
    'Serve the web console at /console: on, off.',
    values.yesNo('on', 'off'),
  ),
  /** No trailing slash; null: that of `publicUrl`. */
  consoleUrl: optional(
    'CONSOLE_URL',
    'Base URL of the console, to give it a host of its own. It stands in links to the console, and in account mail. Default: PUBLIC_URL.',
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
    'Folder for the embedded database, assets and generated secrets.',
    values.folderPath,
  ),
  /** null: the embedded database in `dataDir`. */
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL 15 or newer. Default: the embedded database in DATA_DIR.',
    values.urlOf('postgres:', 'postgresql:'),
    { secret: true },
  ),
  requestStatementSeconds: withDefault(
    'REQUEST_STATEMENT_SECONDS',
    '30',
    'Limit for one SQL statement of a request; beyond it the response is 503 TIMEOUT. Fractions allowed. No effect on the embedded database and on a cluster.',
    values.positiveSeconds(3600),
  ),
  jobStatementSeconds: withDefault(
    'JOB_STATEMENT_SECONDS',
    '600',
    'The same limit for background work, commands and calls of /admin.',
    values.positiveSeconds(86_400),
  ),
  stalledWriteSeconds: withDefault(
    'STALLED_WRITE_SECONDS',
    '60',
    'Time that a client may read nothing of a response before it is disconnected. Fractions allowed.',
    values.positiveSeconds(3600),
  ),
  role: withDefault('ROLE', 'all', 'What this process runs: all, api, worker.', values.oneOf(ROLES)),
  adminToken: optional(
    'ADMIN_TOKEN',
    'Operator token for /admin. Default: generated into DATA_DIR/admin-token.',
    values.headerToken,
    { secret: true },
  ),
  secretKey: optional(
    'SECRET_KEY',
    '32 bytes in base64; encrypts secrets at rest and signs tokens. Required with DATABASE_URL; otherwise generated into DATA_DIR/secret-key.',
    values.key32,
    { secret: true },
  ),
  /** null: no key is being rotated. */
  secretKeyPrevious: optional(
    'SECRET_KEY_PREVIOUS',
    'The previous SECRET_KEY during a key rotation: secrets are re-encrypted with SECRET_KEY, and signatures of the previous key stay valid.',
    values.key32,
    { secret: true },
  ),
  /** Credentials included; null: messages are captured in the outbox. */
  smtpUrl: optional(
    'SMTP_URL',
    'Relay for outgoing mail, smtp:// or smtps:// with user and password. Without it messages stay in the outbox, readable at /admin/outbox.',
    values.relayUrl,
    { secret: true },
  ),
  /** null: `noreply@` the host of PUBLIC_URL. */
  systemMailFrom: optional(
    'SYSTEM_MAIL_FROM',
    'Sender of account mail (password resets, invitations): noreply@example.com or Tessera <noreply@example.com>. Default: noreply@ the host of PUBLIC_URL.',
    values.mailbox,
  ),
  /** Bare, in lower case. */
  sandboxSendingDomain: withDefault(
    'SANDBOX_SENDING_DOMAIN',
    'sandbox.localhost',
    'Sender domain of transmissions with options.sandbox, and of exports of tenants without a verified domain.',
    values.domainName,
  ),
  smtpConnections: withDefault(
    'SMTP_CONNECTIONS',
    '5',
    'Open connections to the relay per worker.',
    values.integer(1, 1000),
  ),
  /** null: the host of PUBLIC_URL, or else the name of the machine. */
  smtpEhloName: optional(
    'SMTP_EHLO_NAME',
    'Name that workers send in EHLO: a host name with a dot, which should resolve. Default: the host of PUBLIC_URL.',
    values.domainName,
  ),
  /** null: bounces are not received here. */
  bounceSmtpPort: optional(
    'BOUNCE_SMTP_PORT',
    'Port of the SMTP receiver for delivery status notifications, feedback reports and unsubscribe mail; 0 lets the system choose one. Default: no receiver.',
    values.integer(0, 65535),
  ),
  redisUrl: optional(
    'REDIS_URL',
    'Redis for rate limits shared by several API processes. Default: each process counts on its own.',
    values.urlOf('redis:', 'rediss:'),
    { secret: true },
  ),
  /** null: queues are in the database. */
  amqpUrl: optional(
    'AMQP_URL',
    'RabbitMQ for the queues of automations, amqp:// or amqps:// with user, password and virtual host. Default: queues in the database.',
    values.brokerUrl,
    { secret: true },
  ),
  /** null: assets are files in `dataDir`. */
  s3Url: optional(
    'S3_URL',
    'S3-compatible bucket for assets, https://KEY:SECRET@host/bucket?region=us-east-1. Default: files in DATA_DIR/assets.',
    values.bucketUrl,
    { secret: true },
  ),
  /** No trailing slash; null: assistants do not answer. */
  llmBaseUrl: optional(
    'LLM_BASE_URL',
    'Provider of the Messages API; /v1/messages is appended. Assistants do not reply without it.',
    values.baseUrl,
  ),
  llmApiKey: optional('LLM_API_KEY', 'Key of the LLM provider, sent as x-api-key.', values.headerToken, {
    secret: true,
  }),
  /** Model names of the provider by Tessera's names. */
  llmModels: optional(
    'LLM_MODELS',
    'JSON object from the model ids of assistants to those of the provider. Ids that it does not contain are sent unchanged.',
    values.textMap,
  ),
  llmTimeoutSeconds: withDefault(
    'LLM_TIMEOUT_SECONDS',
    '60',
    'Time that a provider may send nothing; a whole response may take ten times as long. Fractions allowed.',
    values.positiveSeconds(600),
  ),
  /** No trailing slash; null: the built-in embedder. */
  embeddingsBaseUrl: optional(
    'EMBEDDINGS_BASE_URL',
    'Provider of embeddings; /v1/embeddings is appended. Default: the built-in embedder.',
    values.baseUrl,
  ),
  embeddingsApiKey: optional(
    'EMBEDDINGS_API_KEY',
    'Key of the embeddings provider, sent as a bearer token.',
    values.headerToken,
    {
      secret: true,
    },
  ),
  embeddingsModel: optional(
    'EMBEDDINGS_MODEL',
    'Model of the embeddings provider; required with EMBEDDINGS_BASE_URL. A change recomputes all vectors.',
    values.shortText,
  ),
  /** null: the resolvers of the system. Hosts are IP addresses. */
  dnsServers: optional(
    'DNS_SERVERS',
    'Comma-separated resolvers for the checks of sending domains: IP address and optional port (default 53). Default: those of the system.',
    values.dnsServers,
  ),
  webhookBackoffSeconds: withDefault(
    'WEBHOOK_BACKOFF_SECONDS',
    '5,300,1800,7200',
    'The four delays between the five attempts of a delivery. Fractions allowed.',
    values.secondsList(4, THIRTY_DAYS_IN_SECONDS),
  ),
  webhookTimeoutSeconds: withDefault(
    'WEBHOOK_TIMEOUT_SECONDS',
    '15',
    'Timeout of one attempt, including the response body. Fractions allowed.',
    values.positiveSeconds(3600),
  ),
  outboundAllowPrivate: optional(
    'OUTBOUND_ALLOW_PRIVATE',
    'true allows outbound calls to loopback, private, link-local and other special-purpose addresses; false blocks them. Default: true only in the environment Local. Cloud metadata addresses are always blocked.',
    values.yesNo('true', 'false'),
  ),
  rateLimits: withDefault(
    'RATE_LIMITS',
    'on',
    'off disables all rate limits (benchmarks, tests).',
    values.yesNo('on', 'off'),
  ),
  /** null: from the machine. */
  memoryLimitMib: optional(
    'MEMORY_LIMIT',
    'Memory that one process may use, like 1GiB or 768MiB, at least 512MiB. Default: that of the container or machine, at most 2424MiB.',
    values.mebibytes(MIN_MEMORY_MIB),
  ),
  idempotencyAnswersMib: withDefault(
    'IDEMPOTENCY_ANSWERS_MIB',
    '256',
    'MiB of responses stored per tenant for an Idempotency-Key within 24 hours. Beyond it only the key is recorded.',
    values.integer(0, 1_000_000),
  ),
  automationInputsMib: withDefault(
    'AUTOMATION_INPUTS_MIB',
    '1024',
    'MiB of triggers and results of automation runs stored per tenant. From half of it on, finished runs keep neither; beyond it hooks return 429.',
    values.integer(1, 1_000_000),
  ),
  jobBatchSize: withDefault(
    'JOB_BATCH_SIZE',
    '1000',
    'Rows that a job writes or deletes at once; reported by the health check.',
    values.integer(1, 100_000),
  ),
  transmissionBatchSize: withDefault(
    'TRANSMISSION_BATCH_SIZE',
    '500',
    'Messages that a worker claims at once per lane (transactional, bulk); reported by the health check.',
    values.integer(1, 100_000),
  ),
  /** null: none. */
  corsOrigins: optional(
    'CORS_ORIGINS',
    'Comma-separated origins (https://app.example.com) whose pages may sign users in and call the API of entity records from a browser. Default: none.',
    values.origins,
  ),
  /**
   * true: trust the proxy that connects; or the addresses and CIDR ranges whose `X-Forwarded-*` headers are trusted.
   */
  trustProxy: withDefault(
    'TRUST_PROXY',
    'false',
    'Whether X-Forwarded-* names the client: false, true behind one proxy, or the addresses and CIDR ranges of all proxies.',
    values.trustProxy,
  ),
  logLevel: withDefault(
    'LOG_LEVEL',
    'info',
    `Minimum severity that is logged: ${LOG_LEVELS.join(', ')}.`,
    values.oneOf(LOG_LEVELS),
  ),
};
