import { after } from 'node:test';
import { type Client, createClient } from './client.ts';
import { killProcesses, startProcess, type TestProcess } from './process.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createForm } from './sample-forms.ts';
import { createWebhook } from './submission-load.ts';
import { createTenant, testEnv } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

/** A process with a form and a receiver of its submissions, for tests that kill the process. */
export interface FaultSite {
  /** The environment, for further processes on the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly process: TestProcess;
  readonly receiver: Receiver;
  readonly formCode: string;
  readonly webhookId: string;
  /** Returns a client of the form's tenant at a process. */
  at(process: TestProcess): Client;
}

/** Starts a site for one test; it is stopped after that test. */
export async function startFaultSite(more: Readonly<Record<string, string>> = {}): Promise<FaultSite> {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const receiver = await startReceiver();
  const env = { ...testEnv(database), LOG_LEVEL: 'info', ...more };
  const first = await startProcess(env);
  const admin = createClient(first.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const { apiKey } = await createTenant(first.url, admin);
  const at = (process: TestProcess) => createClient(process.url, { 'x-api-key': apiKey });
  const formCode = await createForm(at(first));
  const webhookId = await createWebhook(at(first), formCode, receiver.url);
  return { env, process: first, receiver, formCode, webhookId, at };
}

/** Returns those of these submissions that a receiver has not got yet. */
export function undelivered(submissionIds: Iterable<string>, { received }: Receiver): string[] {
  const receivedIds = new Set(received.map(({ body }) => body.data.id));
  return [...submissionIds].filter((id) => !receivedIds.has(id));
}
