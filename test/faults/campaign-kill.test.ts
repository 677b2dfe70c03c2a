import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, importList, waitForStatus } from '../harness/campaigns.ts';
import { createClient } from '../harness/client.ts';
import { endLeases, startMailSite } from '../harness/mail-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';

export const runsOn = ['server'];

const SUBSCRIBERS = 5000;
const CONNECTIONS = 5;

test('a kill while an email is sent to 5,000 subscribers misses nobody and repeats at most the connections in flight', async () => {
  const { env, process: first, relay, tenant } = await startMailSite(CONNECTIONS);
  const listId = await importList(tenant, SUBSCRIBERS);
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  await eventually('messages to go out', () => relay.messages.length >= 300, 120_000);
  await first.kill('SIGKILL');
  assert.ok(relay.messages.length < SUBSCRIBERS, 'it was in the middle');
  await endLeases(env);
  const second = await startProcess(env);
  const api = createClient(second.url, { 'x-api-key': tenant.apiKey });
  const { metrics } = await waitForStatus({ api }, email.path, 'Sent', 400_000);
  const recipients = new Set(relay.messages.flatMap(({ rcptTo }) => rcptTo));
  assert.equal(recipients.size, SUBSCRIBERS);
  assert.equal(metrics.delivered, SUBSCRIBERS);
  assert.ok(
    relay.messages.length - SUBSCRIBERS <= CONNECTIONS,
    `${relay.messages.length - SUBSCRIBERS} repeats`,
  );
});
