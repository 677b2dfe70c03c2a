import assert from 'node:assert/strict';
import test from 'node:test';
import { createListOf } from '../harness/campaigns.ts';
import { createJourney, createTemplate, enter } from '../harness/journeys.ts';
import { startWorkerSite } from '../harness/mail-site.ts';
import { eventually } from '../harness/poll.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const SUBSCRIBERS = 100;
const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

test('two workers share a journey, with each step executed once', { skip }, async () => {
  const { tenant, relay } = await startWorkerSite(2);
  const template_id = await createTemplate(tenant);
  const mails = ['a', 'b', 'c'].flatMap((key) => [
    { key, type: 'send_email', template_id },
    { key: `after_${key}`, type: 'wait', seconds: 0.2 },
  ]);
  const journeyId = await createJourney(tenant, mails);
  const { subscribers } = await createListOf(tenant, SUBSCRIBERS);
  await Promise.all(subscribers.map(({ id }) => enter(tenant, journeyId, id)));
  const isDone = async () =>
    (await tenant.api.get(`/api/journeys/${journeyId}`)).body.counts.completed === SUBSCRIBERS &&
    relay.messages.length >= 3 * SUBSCRIBERS;
  await eventually('everybody to be through', isDone, 120_000);
  const recipients = relay.messages.flatMap(({ rcptTo }) => rcptTo);
  assert.deepEqual(recipients.sort(), subscribers.flatMap(({ email }) => [email, email, email]).sort());
});
