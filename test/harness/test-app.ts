import { randomBytes, randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { pino } from 'pino';
import { type App, type AppOptions, startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { errorLog } from './app-errors.ts';
import { type Client, closeConnections, createClient } from './client.ts';
import { startModelProvider } from './model-provider.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The password of everybody whom tests make. */
export const PASSWORD = 'correct horse battery staple';

/** A tenant made for a test, and its owner's client. */
export interface TestTenant {
  readonly tenantId: string;
  readonly code: string;
  readonly defaultUnitId: string;
  readonly ownerUserId: string;
  /** Signs in with {@link PASSWORD}. */
  readonly ownerEmail: string;
  readonly apiKey: string;
  /** Calls with the owner's key. */
  readonly api: Client;
  /** Calls with the operator's token. */
  readonly operator: Client;
}

/** A running process with a database of its own. */
export interface TestApp {
  readonly app: App;
  readonly url: string;
  readonly database: TestDatabase;
  /** The environment it was started with, for starting another process on the same database. */
  readonly env: Readonly<Record<string, string>>;
  /** Calls without a credential. */
  readonly anonymous: Client;
  /** Calls with the operator's token. */
  readonly admin: Client;
  createTenant(): Promise<TestTenant>;
}

/** What tests run with, unless they say otherwise: no limits, quick retries. */
const TEST_ENV = {
  PORT: '0',
  ENVIRONMENT: 'Local',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error',
  RATE_LIMITS: 'off',
  ADMIN_TOKEN: 'test-admin-token',
  // Nobody answers there: no test asks the resolvers of the machine.
  DNS_SERVERS: '127.0.0.1:1',
  WEBHOOK_BACKOFF_SECONDS: '0.05,0.05,0.05,0.05',
  WEBHOOK_TIMEOUT_SECONDS: '5',
};

/** The environment of a process on `database`; every process on it needs the same one, for its SECRET_KEY. */
export function testEnv(database: TestDatabase): typeof TEST_ENV & Readonly<Record<string, string>> {
  return { ...TEST_ENV, SECRET_KEY: randomBytes(32).toString('base64'), ...database.env };
}

/** The app of all files of this process that ask for nothing special; null while each file has its own. */
let shared: TestApp | null = null;

/** From now on, files that ask for nothing special get one app. It ends with the test that calls this. */
export async function shareTestApp(): Promise<void> {
  shared = await startOwnApp();
}

/**
 * An app for the tests of one file. With an environment it is the file's own; without, it may be one that other files
 * use before and after: tests keep to tenants of their own.
 */
export async function startTestApp(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  return shared !== null && Object.keys(env).length === 0 ? shared : startOwnApp(env);
}

/** An app that a test may stop, turn the clock of or look at from all sides; it and its database end with the test's file. */
export async function startOwnApp(
  env: Readonly<Record<string, string>> = {},
  options: Pick<AppOptions, 'clock'> = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  // One of its own: who awaits a promise that another file has made is taken for a part of that file by `node:test`.
  const { url: LLM_BASE_URL } = await startModelProvider();
  const fullEnv = { ...testEnv(database), LLM_BASE_URL, ...env };
  const app = await startApp(loadConfig(fullEnv), {
    ...options,
    log: pino({ level: fullEnv.LOG_LEVEL }, errorLog),
  }).catch(async (error) => {
    await database.remove();
    throw error;
  });
  after(async () => {
    await closeConnections();
    await app.stop();
    await database.remove();
  });
  const address = app.server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const admin = createClient(url, { authorization: `Bearer ${fullEnv.ADMIN_TOKEN}` });
  return {
    app,
    url,
    database,
    env: fullEnv,
    anonymous: createClient(url),
    admin,
    createTenant: () => createTenant(url, admin),
  };
}

/** Creates a tenant through the operator surface. */
export async function createTenant(url: string, admin: Client): Promise<TestTenant> {
  const code = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const owner = { email: `owner@${code}.test`, name: 'Owner', password: PASSWORD };
  const { body } = await admin.post('/admin/tenants', { code, name: `Tenant ${code}`, owner });
  return {
    tenantId: body.tenant_id,
    code,
    defaultUnitId: body.default_business_unit_id,
    ownerUserId: body.owner.user_id,
    ownerEmail: owner.email,
    apiKey: body.api_key,
    api: createClient(url, { 'x-api-key': body.api_key }),
    operator: admin,
  };
}
