import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'node:test';
import { sql } from 'kysely';
import { createMailTenant, transmissionBody, waitUntilEnded } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const MESSAGES = 200;
const CONNECTIONS = 5;

test('while the relay is unavailable few attempts are used, and afterwards every message is sent once', async () => {
  const port = await freePort();
  const relayEnv = { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_CONNECTIONS: String(CONNECTIONS) };
  const app = await startTestApp(relayEnv);
  const tenant = await createMailTenant(app);
  const recipients = Array.from({ length: MESSAGES }, (_, n) => ({
    address: `r${n}@domain${n % 10}.example`,
  }));
  const { body } = await tenant.api.post('/api/transmissions', transmissionBody(tenant, { recipients }));
  const id = body.transactionId;
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  /** Counts failed attempts, without the successful one. */
  const tries = async () => {
    const { rows } = await sql<{ tries: number }>`
      select sum(attempts - (state = 'success')::int)::int as tries from email_messages`.execute(everyTenant);
    return rows[0]?.tries ?? 0;
  };
  await eventually('the gate to close', async () => (await tries()) >= CONNECTIONS);
  const { state } = (await tenant.api.get(`/api/transmissions/${id}`)).body;
  assert.equal(state, 'sending');
  const relay = await startRelay({}, port);
  await eventually('the first message', () => relay.messages.length > 0, 60_000);
  // One attempt a second, then one every two seconds and so on.
  assert.ok((await tries()) < CONNECTIONS * 4, `${await tries()} tries`);
  // Makes tried messages due, as if their waits were over.
  await sql`update email_messages set due_at = now() where state = 'pending' and attempts > 0`.execute(
    everyTenant,
  );
  const { counts } = await waitUntilEnded(tenant, id);
  assert.equal(counts.sent, MESSAGES);
  assert.equal(relay.messages.length, MESSAGES);
});

/** Returns a port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
