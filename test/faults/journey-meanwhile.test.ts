/** Journeys while their enrollments wait: clock changes, slow calls, and deleted definitions. */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  createJourney,
  createTemplate,
  enter,
  outcomesOf,
  untilEnded,
  untilState,
} from '../harness/journeys.ts';
import { createMailTenant } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createSubscriber } from '../harness/subscribers.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];

const DAY_MS = 24 * 60 * 60 * 1000;
let ahead = 0;
const app = await startOwnApp({}, { clock: () => new Date(Date.now() + ahead) });

test('a waiting enrollment continues when the clock reaches its time, also after a jump', async () => {
  const tenant = await createMailTenant(app);
  const template_id = await createTemplate(tenant);
  const journeyId = await createJourney(tenant, [
    { key: 'days', type: 'wait', seconds: 3 * 86_400 },
    { key: 'mail', type: 'send_email', template_id },
    { key: 'more', type: 'wait', seconds: 86_400 },
  ]);
  const { id } = await createSubscriber(tenant);
  const stateId = await enter(tenant, journeyId, id);
  await untilState(tenant, journeyId, stateId, ({ due_at }) => due_at !== null);
  ahead = 3 * DAY_MS;
  const sent = await untilState(tenant, journeyId, stateId, ({ current_step }) => current_step === 'more');
  assert.equal(outcomesOf(sent), 'days:waited mail:sent');
  // The clock was ahead; waiting enrollments keep their planned time.
  ahead = 0;
  const { id: other } = await createSubscriber(tenant);
  const quick = await createJourney(tenant, [{ key: 'now', type: 'wait', seconds: 0.2 }]);
  await untilEnded(tenant, quick, await enter(tenant, quick, other));
  const waiting = await untilState(tenant, journeyId, stateId, () => true);
  assert.deepEqual([waiting.current_step, waiting.due_at], ['more', sent.due_at]);
  ahead = 4 * DAY_MS + 60_000;
  assert.equal((await untilEnded(tenant, journeyId, stateId)).status, 'completed');
  ahead = 0;
});

test('a slow call of one tenant delays no other tenant', async () => {
  const [slow, quick] = [await app.createTenant(), await app.createTenant()];
  const receiver = await startReceiver();
  const answers: (() => void)[] = [];
  receiver.answer = (_request, response) => answers.push(() => response.end());
  const call = { key: 'call', type: 'http_request', method: 'GET', url: receiver.url };
  const slowly = await createJourney(slow, [call]);
  const subscribers = await Promise.all(Array.from({ length: 40 }, () => createSubscriber(slow)));
  const states = await Promise.all(subscribers.map(({ id }) => enter(slow, slowly, id)));
  await eventually('calls under way', () => answers.length >= 16);
  const quickly = await createJourney(quick, [{ key: 'now', type: 'wait', seconds: 0 }]);
  const { id } = await createSubscriber(quick);
  assert.equal((await untilEnded(quick, quickly, await enter(quick, quickly, id))).status, 'completed');
  // Other steps of the same tenant continue, too.
  const own = await createJourney(slow, [{ key: 'now', type: 'wait', seconds: 0 }]);
  assert.equal(
    (await untilEnded(slow, own, await enter(slow, own, subscribers[0]?.id ?? ''))).status,
    'completed',
  );
  receiver.answer = (_request, response) => response.end();
  for (const answer of answers) answer();
  for (const state of states) await untilEnded(slow, slowly, state);
});

test('deleting a journey with a thousand waiting enrollments ends all of them', async () => {
  const tenant = await app.createTenant();
  const { id: list } = (await tenant.api.post('/api/lists', { name: 'All' })).body;
  const journeyId = await createJourney(tenant, [{ key: 'day', type: 'wait', seconds: 86_400 }], {
    trigger: { type: 'list_joined', list_id: list },
  });
  const lines = Array.from({ length: 1000 }, (_, n) => `p${n}@example.com,P${n}`);
  await tenant.api.post(`/api/subscribers/import?mode=insert&list_id=${list}`, undefined, 200, {
    rawBody: `email,first_name\n${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  const counts = async () => (await tenant.api.get(`/api/journeys/${journeyId}`)).body.counts;
  await eventually('everybody to enter', async () => (await counts()).active === 1000, 60_000);
  const states = await tenant.api.post(`/api/journeys/${journeyId}/states/list`, { page: 10, limit: 100 });
  await tenant.api.delete(`/api/journeys/${journeyId}`);
  for (const { id } of states.body.results.slice(0, 5)) {
    const key = `entityType=user_journey_state&entitySortKey=${id}`;
    await eventually('the end of a state', async () => {
      const versions = (await tenant.api.get(`/api/entity/versions?${key}`)).body;
      return versions.at(-1)?.data.status === 'exited';
    });
  }
});
