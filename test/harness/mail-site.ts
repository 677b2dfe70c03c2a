import { after } from 'node:test';
import { createClient } from './client.ts';
import { createMailTenantAt, type MailTenant } from './mail.ts';
import { killProcesses, startProcess, type TestProcess } from './process.ts';
import { type Relay, startRelay } from './relay.ts';
import { testEnv } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

/** A real process that sends through a real relay, made to be killed. */
export interface MailSite {
  /** The environment, for further processes on the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly process: TestProcess;
  readonly relay: Relay;
  readonly tenant: MailTenant;
}

/** Prepares a site whose processes have so many connections to the relay; everything ends with the file's tests. */
export async function startMailSite(connections: number): Promise<MailSite> {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const relay = await startRelay();
  const relayEnv = { SMTP_URL: relay.url, SMTP_CONNECTIONS: String(connections) };
  const env: Readonly<Record<string, string>> = { ...testEnv(database), LOG_LEVEL: 'info', ...relayEnv };
  const process = await startProcess(env);
  const admin = createClient(process.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  return { env, process, relay, tenant: await createMailTenantAt(process.url, admin) };
}
