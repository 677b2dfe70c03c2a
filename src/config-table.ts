/** All environment variables, by their names in the code and in the order of config.example.env. */
import * as values from './config-values.ts';
import { optional, withDefault } from './config-variables.ts';

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
  requestStatementSeconds: withDefault(
    'REQUEST_STATEMENT_SECONDS',
    '30',
    'How long one SQL statement of a request may run; then the answer is 503 TIMEOUT. Fractions allowed. Has no effect on the embedded database and on a cluster.',
    values.positiveSeconds(3600),
  ),
  jobStatementSeconds: withDefault(
    'JOB_STATEMENT_SECONDS',
    '600',
    'The same for background work, commands and calls of /admin.',
    values.positiveSeconds(86_400),
  ),
  stalledWriteSeconds: withDefault(
    'STALLED_WRITE_SECONDS',
    '60',
    'How long a client may take nothing of an answer that is being sent; then it is disconnected. Fractions allowed.',
    values.positiveSeconds(3600),
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
    'The previous SECRET_KEY during a key rotation: secrets are re-encrypted with SECRET_KEY, and signatures of the previous key stay valid.',
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
  /** null: `noreply@` the host of PUBLIC_URL. */
  systemMailFrom: optional(
    'SYSTEM_MAIL_FROM',
    'Sender of mail about accounts (password resets, invitations): noreply@example.com or Tessera <noreply@example.com>; noreply@ the host of PUBLIC_URL when absent.',
    values.mailbox,
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
  /** null: the host of PUBLIC_URL, or else the name of the machine. */
  smtpEhloName: optional(
    'SMTP_EHLO_NAME',
    'Name by which workers greet the relay (EHLO): a host name with a dot, which should resolve; the host of PUBLIC_URL when absent.',
    values.domainName,
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
  /** null: queues are in the database. */
  amqpUrl: optional(
    'AMQP_URL',
    'RabbitMQ for the queues of automations, amqp:// or amqps:// with user, password and virtual host; queues are in the database when absent.',
    values.brokerUrl,
    { secret: true },
  ),
  /** null: assets are files in `dataDir`. */
  s3Url: optional(
    'S3_URL',
    'S3-compatible bucket for assets, https://KEY:SECRET@host/bucket?region=us-east-1; files in DATA_DIR/assets when absent.',
    values.bucketUrl,
    { secret: true },
  ),
  /** No trailing slash; null: assistants do not answer. */
  llmBaseUrl: optional(
    'LLM_BASE_URL',
    'Provider of the Messages API, to which /v1/messages is added; assistants do not answer when absent.',
    values.baseUrl,
  ),
  llmApiKey: optional('LLM_API_KEY', 'Its key, sent as x-api-key.', values.headerToken, { secret: true }),
  /** Model names of the provider by Tessera's names. */
  llmModels: optional(
    'LLM_MODELS',
    'JSON object from the model ids of assistants to those of the provider; ids that it does not have are sent as they are.',
    values.textMap,
  ),
  llmTimeoutSeconds: withDefault(
    'LLM_TIMEOUT_SECONDS',
    '60',
    'How long a provider may be silent; a whole answer may take ten times as long. Fractions allowed.',
    values.positiveSeconds(600),
  ),
  /** No trailing slash; null: the built-in embedder. */
  embeddingsBaseUrl: optional(
    'EMBEDDINGS_BASE_URL',
    'Provider of embeddings, to which /v1/embeddings is added; the built-in hashing embedder when absent.',
    values.baseUrl,
  ),
  embeddingsApiKey: optional('EMBEDDINGS_API_KEY', 'Its key, sent as a bearer token.', values.headerToken, {
    secret: true,
  }),
  embeddingsModel: optional(
    'EMBEDDINGS_MODEL',
    'Its model; required with EMBEDDINGS_BASE_URL. When it changes, all vectors are recomputed.',
    values.shortText,
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
  idempotencyAnswersMib: withDefault(
    'IDEMPOTENCY_ANSWERS_MIB',
    '256',
    'MiB of answers that are stored of one tenant for an Idempotency-Key, within 24 hours; beyond it only a note of each call is stored.',
    values.integer(0, 1_000_000),
  ),
  automationInputsMib: withDefault(
    'AUTOMATION_INPUTS_MIB',
    '1024',
    'MiB of inputs and results of automation runs that are stored of one tenant; beyond half of it runs that end keep neither, beyond it hooks answer 429.',
    values.integer(1, 1_000_000),
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
  /** true: trust the proxy that connects; or the addresses and CIDR ranges whose `X-Forwarded-*` headers are trusted. */
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
