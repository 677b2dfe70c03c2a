import assert from 'node:assert/strict';
import test from 'node:test';
import { createAudience } from '../harness/audiences.ts';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../harness/campaigns.ts';
import { createClient } from '../harness/client.ts';
import { asOwner, endLeases, type MailSite, startMailSite } from '../harness/mail-site.ts';
import { startProcess } from '../harness/process.ts';
import { createSubscriber } from '../harness/subscribers.ts';

const PEOPLE = 60;

test('a kill while an audience is being frozen leaves nobody out, adds nobody and sends to nobody twice', async () => {
  // One person at a time: the freezing waits for those whom the filters find, who are all of the list.
  const { env, process: first, relay, tenant } = await startMailSite(5, { JOB_BATCH_SIZE: '1' });
  const { listId, people } = await createListOf(tenant, PEOPLE);
  const outside = await createSubscriber(tenant, { first_name: 'Outside' });
  const audienceId = await createAudience(tenant, { first_name: { operation: 'ne', value: 'Outside' } });
  const groups = { list_ids: [listId], audience_ids: [audienceId] };
  const email = await createEmail(tenant, await createCampaign(tenant), groups);
  await tenant.api.get(`${email.path}/process`);
  await tenant.api.put(`/api/subscribers/${outside.id}`, { ...outside.body, lists: [listId] });
  await first.kill('SIGKILL');
  assert.deepEqual(await readFrozen(env), { status: 'freezing', messages: 0 }, 'it was in the middle');
  await endLeases(env);
  const second = await startProcess(env);
  const api = createClient(second.url, { 'x-api-key': tenant.apiKey });
  const { metrics } = await waitForStatus({ api }, email.path, 'Sent', 90_000);
  assert.equal(metrics.delivered, PEOPLE);
  assert.deepEqual(
    relay.messages.flatMap(({ rcptTo }) => rcptTo).sort(),
    people.map((each) => each.email).sort(),
  );
});

/** How far the one sending is while no process runs. */
async function readFrozen(env: MailSite['env']) {
  const [row = {}] = await asOwner(
    env,
    `select j.status, count(m.id)::int as messages from marketing_email_sending_jobs j
    left join email_messages m on m.tenant_id = j.tenant_id and m.transmission_id = j.id group by j.status`,
  );
  return { status: row.status, messages: row.messages };
}
