import { after } from 'node:test';
import { type Client, createClient } from './client.ts';
import { killProcesses, startProcess, type TestProcess } from './process.ts';
import { testEnv } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

/** A real process on a database of its own, as its operator. */
export interface OwnSite {
  readonly served: TestProcess;
  readonly admin: Client;
}

/** Starts one; it ends after the file's tests, or the test. */
export async function startOwnSite(more: Readonly<Record<string, string>> = {}): Promise<OwnSite> {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const env = { ...testEnv(database), LOG_LEVEL: 'info', ...more };
  const served = await startProcess(env);
  return { served, admin: createClient(served.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` }) };
}
