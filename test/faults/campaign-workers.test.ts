import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../harness/campaigns.ts';
import { startWorkerSite } from '../harness/mail-site.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const SUBSCRIBERS = 200;
const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

test('two workers share one email, with no recipient repeated or missed', {
  skip,
}, async () => {
  const { tenant, relay } = await startWorkerSite(2);
  const { listId, subscribers } = await createListOf(tenant, SUBSCRIBERS);
  const email = await createEmail(tenant, await createCampaign(tenant), { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  const { metrics } = await waitForStatus(tenant, email.path, 'Sent', 120_000);
  assert.equal(metrics.delivered, SUBSCRIBERS);
  const recipients = relay.messages.flatMap(({ rcptTo }) => rcptTo);
  assert.deepEqual(recipients.sort(), subscribers.map((each) => each.email).sort());
  assert.ok(relay.connections > 5, 'both had connections');
});
