import { after } from 'node:test';
import { openEmbeddedPool, openServerPool } from '../../src/db/pool.ts';
import { createClient } from './client.ts';
import { createMailTenantAt, type MailTenant } from './mail.ts';
import { killProcesses, startProcess, type TestProcess } from './process.ts';
import { type Relay, startRelay } from './relay.ts';
import { testEnv } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

/** Connections per worker: few, so that tests with several workers can detect that more than one was sending. */
const CONNECTIONS_PER_WORKER = 5;

/** A process that sends through a relay, for tests that kill it. */
export interface MailSite {
  /** The environment, for further processes on the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly process: TestProcess;
  readonly relay: Relay;
  readonly tenant: MailTenant;
}

/** Starts a site whose processes have `connections` to the relay each, and `more` in their environment. */
export async function startMailSite(
  connections: number,
  more: Readonly<Record<string, string>> = {},
): Promise<MailSite> {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const relay = await startRelay();
  const relayEnv = { SMTP_URL: relay.url, SMTP_CONNECTIONS: String(connections) };
  const env: Readonly<Record<string, string>> = {
    ...testEnv(database),
    LOG_LEVEL: 'info',
    ...relayEnv,
    ...more,
  };
  const process = await startProcess(env);
  const admin = createClient(process.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  return { env, process, relay, tenant: await createMailTenantAt(process.url, admin) };
}

/** Like `startMailSite`, with one API process and several sending workers. Needs a database server. */
export async function startWorkerSite(workers: number): Promise<MailSite> {
  const site = await startMailSite(CONNECTIONS_PER_WORKER, { ROLE: 'api' });
  const env = { ...site.env, ROLE: 'worker' };
  await Promise.all(Array.from({ length: workers }, () => startProcess(env)));
  return site;
}

/** Runs SQL without tenant isolation. No process may have the embedded database open. */
export async function asOwner(
  env: Readonly<Record<string, string>>,
  text: string,
): Promise<Record<string, unknown>[]> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env;
  // Without the URL's options, so that a statement may reach all nodes of a cluster.
  const [server] = url?.split('?') ?? [];
  const { pool, close } = server ? openServerPool(server) : await openEmbeddedPool(dataDir);
  try {
    return (await pool.query<Record<string, unknown>>(text)).rows;
  } finally {
    await close();
  }
}

/** Ends the leases of a killed process. The embedded database does so when it starts. */
export async function endLeases(env: MailSite['env']): Promise<void> {
  if (!env.DATABASE_URL) return;
  await asOwner(env, "update email_messages set due_at = now() where state = 'pending'");
  const workQueues = ['audience_changes', 'audience_computations', 'automation_runs', 'subscriber_signals'];
  for (const workQueue of workQueues)
    await asOwner(env, `update ${workQueue} set due_at = now() where state = 'pending'`);
  // Two statements, because a cluster does not allow `now()` together with a column.
  const states = "state = 'pending' and waits_until is";
  await asOwner(env, `update journey_states set due_at = waits_until where ${states} not null`);
  await asOwner(env, `update journey_states set due_at = now() where ${states} null`);
  await asOwner(env, "update jobs set due_at = now() where state = 'pending' and id <> target_id");
}
