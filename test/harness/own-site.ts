import { after } from 'node:test';
import { type Client, createClient } from './client.ts';
import { killProcesses, startProcess, type TestProcess } from './process.ts';
import { testEnv } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

/** A process with its own database, and a client with the operator's token. */
export interface OwnSite {
  readonly server: TestProcess;
  readonly admin: Client;
}

/** Starts a process; it is stopped after the file's tests, or after the test that calls this. */
export async function startOwnSite(more: Readonly<Record<string, string>> = {}): Promise<OwnSite> {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const env = { ...testEnv(database), LOG_LEVEL: 'info', ...more };
  const server = await startProcess(env);
  return { server, admin: createClient(server.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` }) };
}
