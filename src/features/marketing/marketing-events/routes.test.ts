import assert from 'node:assert/strict';
import test from 'node:test';
import { createSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const [ada, grace] = [await createSubscriber({ api }), await createSubscriber({ api })];
const at = (subscriber_id: string, type: string, more: object = {}) => ({
  ...{ type, subscriber_id, occurred_at: '2026-05-01T10:00:00Z' },
  ...more,
});
const events = [at(ada.id, 'page_view'), at(ada.id, 'purchase', { amount: 12.5 }), at(grace.id, 'page_view')];
await api.post('/api/marketing_events', { events });

async function count(filters: object, status = 200) {
  const span = { from: '2026-05-01', to: '2026-05-02', group_by: 'type', filters };
  return (await api.post('/api/marketing_events/query', span, status)).body;
}

test('events are counted by group, filtered by values or operations', async () => {
  const views = { key: 'page_view', count: 2, unique_subscribers: 2, amount: 0 };
  const bought = { key: 'purchase', count: 1, unique_subscribers: 1, amount: 12.5 };
  assert.deepEqual((await count({})).results, [views, bought]);
  assert.deepEqual((await count({ type: 'purchase' })).results, [bought]);
  assert.deepEqual((await count({ type: { operation: 'eq', value: 'purchase' } })).results, [bought]);
  assert.deepEqual((await count({ subscriber_id: { operation: 'in', value: [grace.id] } })).results, [
    { ...views, count: 1, unique_subscribers: 1 },
  ]);
  assert.deepEqual((await count({ subscriber_id: 'nobody' })).results, []);
});

test('an unknown filter is refused by name', async () => {
  const { code, issues } = await count({ colour: 'red' }, 400);
  assert.deepEqual([code, issues[0].field], ['INVALID_REQUEST', 'filters.colour']);
});

test('an invalid date is refused', async () => {
  const body = { events: [at(ada.id, 'page_view', { occurred_at: '2026-02-30' })] };
  const { issues } = (await api.post('/api/marketing_events', body, 400)).body;
  assert.equal(issues[0].field, 'events[0].occurred_at');
});
