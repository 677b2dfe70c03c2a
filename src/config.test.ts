import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { CONFIG_VARIABLES, ConfigError, loadConfig } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-config-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Variables with which no secret is generated. */
const GIVEN = { ADMIN_TOKEN: 'operator', SECRET_KEY: KEY };

function refusal(env: Record<string, string>): string {
  try {
    loadConfig({ ...GIVEN, ...env });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.doesNotMatch(error.message, /[\r\n]/);
    return error.message;
  }
  return 'accepted';
}

test('an empty environment gives the documented defaults', () => {
  const { dataDir, secretKey, ...rest } = loadConfig({ ...GIVEN });
  assert.ok(isAbsolute(dataDir) && dataDir.endsWith('data'));
  assert.deepEqual(secretKey, Buffer.alloc(32, 7));
  assert.deepEqual(rest, {
    port: 3000,
    host: '127.0.0.1',
    publicUrl: null,
    console: true,
    consoleUrl: null,
    environment: 'Local',
    databaseUrl: null,
    requestStatementSeconds: 30,
    jobStatementSeconds: 600,
    stalledWriteSeconds: 60,
    role: 'all',
    adminToken: 'operator',
    secretKeyPrevious: null,
    smtpUrl: null,
    systemMailFrom: null,
    smtpEhloName: null,
    sandboxSendingDomain: 'sandbox.localhost',
    smtpConnections: 5,
    bounceSmtpPort: null,
    redisUrl: null,
    amqpUrl: null,
    s3Url: null,
    llmBaseUrl: null,
    llmApiKey: null,
    llmModels: null,
    llmTimeoutSeconds: 60,
    embeddingsBaseUrl: null,
    embeddingsApiKey: null,
    embeddingsModel: null,
    dnsServers: null,
    corsOrigins: null,
    webhookBackoffSeconds: [5, 300, 1800, 7200],
    webhookTimeoutSeconds: 15,
    outboundAllowPrivate: true,
    rateLimits: true,
    jobBatchSize: 1000,
    transmissionBatchSize: 500,
    idempotencyAnswersMib: 256,
    memoryLimitMib: null,
    automationInputsMib: 1024,
    trustProxy: false,
    logLevel: 'info',
  });
});

test('every variable is read', () => {
  const config = loadConfig({
    ...GIVEN,
    PORT: '0',
    HOST: '::',
    PUBLIC_URL: 'https://tessera.example/base/',
    ENVIRONMENT: 'Production',
    DATA_DIR: '/srv/tessera',
    DATABASE_URL: 'postgres://u:p@db/tessera',
    REQUEST_STATEMENT_SECONDS: '2.5',
    JOB_STATEMENT_SECONDS: '60',
    STALLED_WRITE_SECONDS: '45',
    MEMORY_LIMIT: '1.5GiB',
    IDEMPOTENCY_ANSWERS_MIB: '8',
    AUTOMATION_INPUTS_MIB: '16',
    ROLE: 'worker',
    SECRET_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('base64'),
    SMTP_URL: 'smtps://user:p%40ss@relay.example:2465',
    SYSTEM_MAIL_FROM: '"Acme, Inc." <noreply@acme.example>',
    SANDBOX_SENDING_DOMAIN: 'Sandbox.Example',
    SMTP_CONNECTIONS: '7',
    SMTP_EHLO_NAME: 'Mail.Tessera.Example',
    BOUNCE_SMTP_PORT: '2525',
    REDIS_URL: 'rediss://cache:6379',
    AMQP_URL: 'amqps://user:p%40ss@broker:5671/shop',
    LLM_BASE_URL: 'https://models.example/anywhere/',
    LLM_API_KEY: 'model-key',
    LLM_MODELS: '{"llm-3-haiku-20240307": "small-1"}',
    LLM_TIMEOUT_SECONDS: '1.5',
    EMBEDDINGS_BASE_URL: 'http://10.0.0.7:8080',
    EMBEDDINGS_API_KEY: 'vector-key',
    EMBEDDINGS_MODEL: 'vectors-1',
    S3_URL: 'https://key:se%2Fcret@s3.example:9000/assets/of/tessera?region=eu-central-1',
    DNS_SERVERS: '192.0.2.1:5353, 192.0.2.2,[2001:db8::1]:54',
    CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
    WEBHOOK_BACKOFF_SECONDS: '0, 0.05,1,2.5',
    WEBHOOK_TIMEOUT_SECONDS: '0.5',
    CONSOLE: 'off',
    CONSOLE_URL: 'https://console.example/',
    RATE_LIMITS: 'off',
    JOB_BATCH_SIZE: '10',
    TRANSMISSION_BATCH_SIZE: '20',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    LOG_LEVEL: 'silent',
  });
  const { secretKey: _, ...rest } = config;
  assert.deepEqual(rest, {
    port: 0,
    host: '::',
    publicUrl: 'https://tessera.example/base',
    console: false,
    consoleUrl: 'https://console.example',
    environment: 'Production',
    dataDir: '/srv/tessera',
    databaseUrl: 'postgres://u:p@db/tessera',
    requestStatementSeconds: 2.5,
    jobStatementSeconds: 60,
    stalledWriteSeconds: 45,
    memoryLimitMib: 1536,
    idempotencyAnswersMib: 8,
    automationInputsMib: 16,
    role: 'worker',
    adminToken: 'operator',
    secretKeyPrevious: Buffer.alloc(32, 8),
    smtpUrl: 'smtps://user:p%40ss@relay.example:2465',
    systemMailFrom: { address: 'noreply@acme.example', name: 'Acme, Inc.' },
    sandboxSendingDomain: 'sandbox.example',
    smtpConnections: 7,
    smtpEhloName: 'mail.tessera.example',
    bounceSmtpPort: 2525,
    redisUrl: 'rediss://cache:6379',
    amqpUrl: 'amqps://user:p%40ss@broker:5671/shop',
    corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
    s3Url: {
      endpoint: 'https://s3.example:9000',
      name: 'assets',
      prefix: 'of/tessera/',
      region: 'eu-central-1',
      accessKeyId: 'key',
      secretAccessKey: 'se/cret',
      isInPath: true,
    },
    llmBaseUrl: 'https://models.example/anywhere',
    llmApiKey: 'model-key',
    llmModels: new Map([['llm-3-haiku-20240307', 'small-1']]),
    llmTimeoutSeconds: 1.5,
    embeddingsBaseUrl: 'http://10.0.0.7:8080',
    embeddingsApiKey: 'vector-key',
    embeddingsModel: 'vectors-1',
    dnsServers: [
      { host: '192.0.2.1', port: 5353 },
      { host: '192.0.2.2', port: 53 },
      { host: '2001:db8::1', port: 54 },
    ],
    webhookBackoffSeconds: [0, 0.05, 1, 2.5],
    webhookTimeoutSeconds: 0.5,
    outboundAllowPrivate: false,
    rateLimits: false,
    jobBatchSize: 10,
    transmissionBatchSize: 20,
    trustProxy: ['10.0.0.0/8', '::1'],
    logLevel: 'silent',
  });
});

test('outbound calls may reach private addresses only on the embedded database, unless configured otherwise', () => {
  const allowed = (env: Record<string, string>) => loadConfig({ ...GIVEN, ...env }).outboundAllowPrivate;
  assert.equal(allowed({ ENVIRONMENT: 'Local', OUTBOUND_ALLOW_PRIVATE: 'false' }), false);
  assert.equal(allowed({ ENVIRONMENT: 'Development' }), false);
  assert.equal(allowed({ ENVIRONMENT: 'Production', OUTBOUND_ALLOW_PRIVATE: 'true' }), true);
});

test('a relay that accepts passwords without TLS can be configured', () => {
  const url = 'smtp://user:password@relay.example:25?tls=optional';
  assert.equal(loadConfig({ ...GIVEN, SMTP_URL: url }).smtpUrl, url);
});

test('a blank variable counts as missing', () => {
  const blank = Object.fromEntries(CONFIG_VARIABLES.map(({ name }) => [name, '  ']));
  assert.deepEqual(loadConfig({ ...blank, ...GIVEN }), loadConfig({ ...GIVEN }));
});

test('an invalid value is rejected with one line that names the variable and the fault', () => {
  assert.equal(refusal({ PORT: '65536' }), 'PORT must be an integer from 0 to 65535, not "65536"');
  assert.equal(refusal({ ENVIRONMENT: 'local' }).split(' must ')[0], 'ENVIRONMENT');
  const bad: [string, string][] = [
    ['PORT', '3e3'],
    ['PORT', '-1'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'ftp://x'],
    ['PUBLIC_URL', 'https://x/?q'],
    ['PUBLIC_URL', 'https://u:p@x'],
    ['DATA_DIR', 'a\0b'],
    ['DATABASE_URL', 'mysql://x'],
    ['ROLE', 'web'],
    ['ADMIN_TOKEN', 'two words'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', Buffer.alloc(31).toString('base64')],
    ['SMTP_URL', 'relay.example:25'],
    ['SMTP_URL', 'http://relay.example'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://relay.example/?pool=false'],
    ['SMTP_URL', 'smtp://user:%zz@relay.example'],
    ['SMTP_URL', 'smtp://relay.example?tls=none'],
    ['SMTP_URL', 'smtps://relay.example?tls=optional'],
    ['SYSTEM_MAIL_FROM', 'noreply'],
    ['SYSTEM_MAIL_FROM', 'Acme <noreply>'],
    ['SYSTEM_MAIL_FROM', 'a@b.example, c@d.example'],
    ['SANDBOX_SENDING_DOMAIN', 'a@b'],
    ['SANDBOX_SENDING_DOMAIN', 'a..b'],
    ['SMTP_CONNECTIONS', '0'],
    ['SMTP_EHLO_NAME', 'a b'],
    ['BOUNCE_SMTP_PORT', '65536'],
    ['REDIS_URL', 'cache'],
    ['S3_URL', 's3://key:secret@host/bucket'],
    ['S3_URL', 'https://host/bucket'],
    ['S3_URL', 'https://key@host/bucket'],
    ['S3_URL', 'https://key:secret@host'],
    ['S3_URL', 'https://key:secret@host/bucket?acl=public'],
    ['S3_URL', 'https://key:%zz@host/bucket'],
    ['DNS_SERVERS', 'dns.example:53'],
    ['DNS_SERVERS', '192.0.2.1:0'],
    ['DNS_SERVERS', '192.0.2.1,'],
    ['DNS_SERVERS', '2001:db8::1:53'],
    ['MEMORY_LIMIT', '1024'],
    ['MEMORY_LIMIT', '511MiB'],
    ['MEMORY_LIMIT', '1TiB'],
    ['WEBHOOK_BACKOFF_SECONDS', '1,2,3'],
    ['WEBHOOK_BACKOFF_SECONDS', '1,2,3,-4'],
    ['WEBHOOK_BACKOFF_SECONDS', '1,2,,4'],
    ['WEBHOOK_TIMEOUT_SECONDS', '0'],
    ['WEBHOOK_TIMEOUT_SECONDS', 'Infinity'],
    ['OUTBOUND_ALLOW_PRIVATE', 'yes'],
    ['RATE_LIMITS', 'true'],
    ['REQUEST_STATEMENT_SECONDS', '0'],
    ['JOB_STATEMENT_SECONDS', 'long'],
    ['JOB_BATCH_SIZE', '0'],
    ['TRANSMISSION_BATCH_SIZE', '1.5'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'app.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com/'],
    ['CORS_ORIGINS', 'https://app.example.com:443'],
    ['CORS_ORIGINS', 'https://App.example.com,'],
    ['CORS_ORIGINS', 'null'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['LOG_LEVEL', 'loud'],
    ['PORT', '1\n2'],
  ];
  for (const [name, value] of bad)
    assert.match(refusal({ [name]: value }), new RegExp(`^${name} must be `), value);
});

test('an invalid value that may contain a secret is not repeated in the error', () => {
  for (const name of ['DATABASE_URL', 'SMTP_URL', 'REDIS_URL', 'S3_URL', 'SECRET_KEY', 'ADMIN_TOKEN']) {
    assert.doesNotMatch(refusal({ [name]: 'hunter two' }), /hunter/);
  }
});

test('the configuration is frozen at every level', () => {
  const config = loadConfig({ ...GIVEN, TRUST_PROXY: '::1', DNS_SERVERS: '192.0.2.1' });
  const { webhookBackoffSeconds, trustProxy, dnsServers } = config;
  for (const part of [config, webhookBackoffSeconds, trustProxy, dnsServers, dnsServers?.[0]]) {
    assert.ok(Object.isFrozen(part));
  }
});

test('missing secrets are created, readable by their owner only, and reused by the next start', (t) => {
  const dataDir = join(newFolder(t), 'data');
  const first = loadConfig({ DATA_DIR: dataDir });
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  for (const name of ['admin-token', 'secret-key'])
    assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(dataDir, 'admin-token'), 'utf8').trim(), first.adminToken);
  assert.equal(first.secretKey.length, 32);
  assert.deepEqual(loadConfig({ DATA_DIR: dataDir }), first);
  assert.notEqual(loadConfig({ DATA_DIR: join(dataDir, 'other') }).adminToken, first.adminToken);
});

test('a start that fails on an invalid variable, or gets both secrets, leaves no folder behind', (t) => {
  const dataDir = join(newFolder(t), 'data');
  assert.throws(() => loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'loud' }), ConfigError);
  loadConfig({ ...GIVEN, DATA_DIR: dataDir });
  assert.equal(existsSync(dataDir), false);
});

test('SECRET_KEY is required if DATABASE_URL is set', (t) => {
  const env = { DATA_DIR: newFolder(t), DATABASE_URL: 'postgres://localhost/tessera' };
  assert.throws(() => loadConfig(env), /^ConfigError: SECRET_KEY is required when DATABASE_URL is set/);
});

test('a damaged secret file or a read-only data folder stops the start and is named', (t) => {
  const dataDir = newFolder(t);
  writeFileSync(join(dataDir, 'secret-key'), 'damaged');
  assert.throws(
    () => loadConfig({ DATA_DIR: dataDir }),
    /^ConfigError: SECRET_KEY in the file .*secret-key must be/,
  );
  mkdirSync(join(dataDir, 'b'));
  writeFileSync(join(dataDir, 'b', 'file'), '');
  assert.throws(
    () => loadConfig({ DATA_DIR: join(dataDir, 'b', 'file') }),
    /^ConfigError: DATA_DIR cannot hold/,
  );
});

test('processes that start together for the first time get the same secrets', async (t) => {
  const dataDir = join(newFolder(t), 'data');
  const program = `
    import { loadConfig } from ${JSON.stringify(join(import.meta.dirname, 'config.ts'))};
    const config = loadConfig({ DATA_DIR: process.argv[1] });
    console.log(config.adminToken, config.secretKey.toString('base64'));
  `;
  const outputs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      return output;
    }),
  );
  assert.equal(new Set(outputs).size, 1);
  assert.match(outputs[0] ?? '', /^\S{43} \S{44}\n$/);
  assert.deepEqual(readdirSync(dataDir).sort(), ['admin-token', 'secret-key']);
});

test('config.example.env contains exactly the existing variables, with defaults and meanings', () => {
  const example = readFileSync(join(import.meta.dirname, '../config.example.env'), 'utf8');
  const [, ...blocks] = example.trim().split('\n\n');
  const described = blocks.map((block) => {
    const [assignment = '', ...meaning] = block.split('\n').reverse();
    const [, name, value] = /^#([A-Z0-9_]+)=(.*)$/.exec(assignment) ?? [];
    return {
      name,
      default: value === '' ? null : value,
      meaning: meaning.reverse().join(' ').replaceAll('# ', ''),
    };
  });
  assert.deepEqual(
    described,
    CONFIG_VARIABLES.map((variable) => ({
      name: variable.name,
      default: variable.default,
      meaning: variable.meaning,
    })),
  );
});
