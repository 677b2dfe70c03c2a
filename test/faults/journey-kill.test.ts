import assert from 'node:assert/strict';
import test from 'node:test';
import { simpleParser } from 'mailparser';
import { createClient } from '../harness/client.ts';
import { createJourney, createTemplate } from '../harness/journeys.ts';
import { asOwner, endLeases, startMailSite } from '../harness/mail-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';
import type { Relay } from '../harness/relay.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const SUBSCRIBERS = 200;
const CONNECTIONS = 5;

/** Counts how often each message was sent, by Message-ID, and how many different ones each address got. */
async function countMessages({ messages }: Relay) {
  const times = new Map<string, number>();
  const mails = new Map<string, Set<string>>();
  for (const { raw, rcptTo } of messages) {
    const { messageId = '' } = await simpleParser(raw);
    times.set(messageId, (times.get(messageId) ?? 0) + 1);
    for (const address of rcptTo) mails.set(address, (mails.get(address) ?? new Set()).add(messageId));
  }
  return { times: [...times.values()], mails };
}

test('a kill during a journey of 200 subscribers misses nobody and repeats no message more than once', async () => {
  const { env, process: first, relay, tenant } = await startMailSite(CONNECTIONS);
  const template_id = await createTemplate(tenant);
  const { id: list } = (await tenant.api.post('/api/lists', { name: 'All' })).body;
  const journeyId = await createJourney(
    tenant,
    [
      { key: 'one', type: 'send_email', template_id },
      { key: 'mark', type: 'update_subscriber', additional_fields_data: { marked: true } },
      { key: 'pause', type: 'wait', seconds: 0.5 },
      { key: 'two', type: 'send_email', template_id },
    ],
    { trigger: { type: 'list_joined', list_id: list } },
  );
  const lines = Array.from({ length: SUBSCRIBERS }, (_, n) => `p${n}@domain${n % 10}.example,P${n}`);
  await tenant.api.post(`/api/subscribers/import?mode=insert&list_id=${list}`, undefined, 200, {
    rawBody: `email,first_name\n${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  await eventually('messages to go out', () => relay.messages.length >= 40, 120_000);
  await first.kill('SIGKILL');
  assert.ok(relay.messages.length < 2 * SUBSCRIBERS, 'it was in the middle');
  await endLeases(env);
  const second = await startProcess(env);
  const api = createClient(second.url, { 'x-api-key': tenant.apiKey });
  await eventually(
    'everybody to be through',
    async () => (await api.get(`/api/journeys/${journeyId}`)).body.counts.completed === SUBSCRIBERS,
    300_000,
  );
  await eventually(
    'all messages',
    async () => (await countMessages(relay)).times.length === 2 * SUBSCRIBERS,
    300_000,
  );
  const { times, mails } = await countMessages(relay);
  assert.equal(mails.size, SUBSCRIBERS);
  assert.ok(
    [...mails.values()].every(({ size }) => size === 2),
    'two different mails each',
  );
  assert.ok(Math.max(...times) <= 2, 'no message more than twice');
  assert.ok(relay.messages.length - 2 * SUBSCRIBERS <= CONNECTIONS, 'repeats are those in flight');
  if (databaseKind() === 'embedded') return;
  const [versions] = await asOwner(env, 'select count(*)::int as twice from subscribers where version <> 2');
  assert.equal(versions?.twice, 0, 'each person was changed once');
});
