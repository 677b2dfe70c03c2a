import { randomBytes, randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { pino } from 'pino';
import { type App, type AppOptions, startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { errorLog } from './app-errors.ts';
import { type Client, closeConnections, createClient } from './client.ts';
import { startModelProvider } from './model-provider.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Password of all users in tests. */
export const PASSWORD = 'correct horse battery staple';

/** A tenant created for a test, and its owner's client. */
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

/** A running app with its own database. */
export interface TestApp {
  readonly app: App;
  readonly url: string;
  readonly database: TestDatabase;
  /** Its environment variables, to start another process on the same database. */
  readonly env: Readonly<Record<string, string>>;
  /** Calls without a credential. */
  readonly anonymous: Client;
  /** Calls with the operator's token. */
  readonly admin: Client;
  createTenant(): Promise<TestTenant>;
}

/** Default configuration of tests: no limits, short retry delays. */
const TEST_ENV = {
  PORT: '0',
  ENVIRONMENT: 'Local',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error',
  RATE_LIMITS: 'off',
  ADMIN_TOKEN: 'test-admin-token',
  // No server listens there, so that no test queries the machine's resolvers.
  DNS_SERVERS: '127.0.0.1:1',
  WEBHOOK_BACKOFF_SECONDS: '0.05,0.05,0.05,0.05',
  WEBHOOK_TIMEOUT_SECONDS: '5',
};

/** The environment of a process on `database`; every process on it needs the same one, for its SECRET_KEY. */
export function testEnv(database: TestDatabase): typeof TEST_ENV & Readonly<Record<string, string>> {
  return { ...TEST_ENV, SECRET_KEY: randomBytes(32).toString('base64'), ...database.env };
}

/** The app that files without an environment of their own share; null while each file has its own app. */
let shared: TestApp | null = null;

/**
 * Makes further files without an environment of their own share one app, which stops after the test that calls this.
 */
export async function shareTestApp(): Promise<void> {
  shared = await startOwnApp();
}

/**
 * Returns an app for the tests of one file. With an environment it belongs to the file alone; otherwise other files may
 * share it, so tests must use their own tenants.
 */
export async function startTestApp(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  return shared !== null && Object.keys(env).length === 0 ? shared : startOwnApp(env);
}

/**
 * Starts an app that a test may stop or change the clock of. It is removed with its database after the file's tests.
 */
export async function startOwnApp(
  env: Readonly<Record<string, string>> = {},
  options: Pick<AppOptions, 'clock'> = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  // A promise of its own: `node:test` counts code that awaits another file's promise as part of that file.
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
