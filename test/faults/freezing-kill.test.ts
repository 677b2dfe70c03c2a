import assert from 'node:assert/strict';
import test from 'node:test';
import { becomes, computed, createAudience } from '../harness/audiences.ts';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../harness/campaigns.ts';
import { createClient } from '../harness/client.ts';
import { asOwner, endLeases, type MailSite, startMailSite } from '../harness/mail-site.ts';
import { startProcess } from '../harness/process.ts';
import { createSubscriber } from '../harness/subscribers.ts';

export const runsOn = ['server'];

/** One subscriber is checked at a time, which takes longer than the requests that arrive meanwhile. */
const SUBSCRIBERS = 400;

test('a kill while an audience snapshot is taken misses nobody, adds nobody and sends to nobody twice', async () => {
  const { env, process: first, relay, tenant } = await startMailSite(5, { JOB_BATCH_SIZE: '1' });
  const named = (operation: string, value: unknown) => ({ first_name: { operation, value } });
  const insideId = await createAudience(tenant, named('eq', 'Inside'));
  const outsideId = await createAudience(tenant, named('eq', 'Outside'));
  for (const id of [insideId, outsideId]) await computed(tenant, id);
  const unlike = await createSubscriber(tenant, { first_name: 'Outside' });
  // The snapshot has checked it before it is changed.
  await becomes(tenant, outsideId, ['Outside']);
  const { listId, subscribers } = await createListOf(tenant, SUBSCRIBERS);
  const outside = await createSubscriber(tenant, { first_name: 'Outside' });
  const code = await createCampaign(tenant);
  // The snapshot waits for the subscribers that these filters find: all of the list.
  const audienceId = await createAudience(tenant, named('nin', ['Outside', 'Inside']));
  const groups = { list_ids: [listId], audience_ids: [audienceId, insideId] };
  const email = await createEmail(tenant, code, groups);
  await tenant.api.get(`${email.path}/process`);
  await tenant.api.put(`/api/subscribers/${outside.id}`, { ...outside.body, lists: [listId] });
  await tenant.api.put(`/api/subscribers/${unlike.id}`, { ...unlike.body, first_name: 'Inside' });
  await first.kill('SIGKILL');
  assert.deepEqual(await readSnapshot(env), { status: 'freezing', messages: 0 }, 'it was in the middle');
  await endLeases(env);
  const { JOB_BATCH_SIZE: _small, ...usual } = env;
  const second = await startProcess(usual);
  const api = createClient(second.url, { 'x-api-key': tenant.apiKey });
  const { metrics } = await waitForStatus({ api }, email.path, 'Sent', 90_000);
  assert.equal(metrics.delivered, SUBSCRIBERS);
  assert.deepEqual(
    relay.messages.flatMap(({ rcptTo }) => rcptTo).sort(),
    subscribers.map((each) => each.email).sort(),
  );
});

/** Returns how far the only sending is while no process runs. */
async function readSnapshot(env: MailSite['env']) {
  const [row = {}] = await asOwner(
    env,
    `select j.status, count(m.id)::int as messages from marketing_email_sending_jobs j
    left join email_messages m on m.tenant_id = j.tenant_id and m.transmission_id = j.id group by j.status`,
  );
  return { status: row.status, messages: row.messages };
}
