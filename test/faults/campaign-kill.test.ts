import assert from 'node:assert/strict';
import test from 'node:test';
import { openServerPool } from '../../src/db/pool.ts';
import { createCampaign, createEmail, waitForStatus } from '../harness/campaigns.ts';
import { createClient } from '../harness/client.ts';
import { startMailSite } from '../harness/mail-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';

const PEOPLE = 5000;
const CONNECTIONS = 5;

test('a kill while an e-mail goes out to 5,000 people misses nobody and repeats at most the connections in flight', async () => {
  const { env, process: first, relay, tenant } = await startMailSite(CONNECTIONS);
  const listId = await importPeople(tenant.api);
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  await eventually('messages to go out', () => relay.messages.length >= 300, 60_000);
  await first.kill('SIGKILL');
  assert.ok(relay.messages.length < PEOPLE, 'it was in the middle');
  // As if the leases of the dead process had ended; on the embedded database nobody has to wait for that.
  if (env.DATABASE_URL) await endLeases(env.DATABASE_URL);

  const second = await startProcess(env);
  const api = createClient(second.url, { 'x-api-key': tenant.apiKey });
  const { metrics } = await waitForStatus({ api }, email.path, 'Sent', 150_000);
  const got = new Set(relay.messages.flatMap(({ rcptTo }) => rcptTo));
  assert.equal(got.size, PEOPLE);
  assert.equal(metrics.delivered, PEOPLE);
  assert.ok(relay.messages.length - PEOPLE <= CONNECTIONS, `${relay.messages.length - PEOPLE} repeats`);
});

/** Imports the people into a list of their own. */
async function importPeople(api: ReturnType<typeof createClient>): Promise<string> {
  const { id: listId } = (await api.post('/api/lists', { name: 'All' })).body;
  const lines = Array.from({ length: PEOPLE }, (_, n) => `p${n}@domain${n % 10}.example,P${n}`);
  const path = `/api/subscribers/import?mode=insert&list_id=${listId}`;
  const { body } = await api.post(path, undefined, 200, {
    rawBody: `email,first_name\n${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  await eventually(
    'the import',
    async () => (await api.get(`/api/subscribers/import/${body.import_id}`)).body.created === PEOPLE,
    60_000,
  );
  return listId;
}

/** Runs past tenant isolation. */
async function endLeases(url: string): Promise<void> {
  // Without its options: on a cluster it may ask all nodes.
  const { pool, close } = openServerPool(url.split('?')[0] ?? '');
  await pool.query("update email_messages set due_at = now() where state = 'pending'");
  await pool.query("update jobs set due_at = now() where state = 'pending' and id <> target_id");
  await close();
}
