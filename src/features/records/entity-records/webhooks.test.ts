import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const EVENTS = ['task.created', 'task.updated', 'task.deleted'];

/** Creates a tenant with the entity `task`, its owner signed in, and a receiver of all events of tasks. */
async function createSite() {
  const fields = [
    { name: 'title', type: 'string', unique: true },
    { name: 'state', type: 'enum', enum: ['open', 'done'], default: 'open' },
    { name: 'size', type: 'number' },
    { name: 'details', type: 'json' },
  ];
  const workflow = {
    field: 'state',
    initial: 'open',
    states: ['open', 'done'],
    transitions: [{ from: 'open', to: 'done' }],
  };
  const { api, owner } = await createRecordsTenant(app, [
    { name: 'task', fields, workflow },
    { name: 'other', fields: [fields[0] ?? {}] },
  ]);
  const receiver = await startReceiver();
  await owner.post('/api/webhooks', { url: receiver.url, events: EVENTS, secret: 'a secret' });
  const delivered = (count: number) =>
    eventually(
      `${count} deliveries`,
      () =>
        receiver.received.length >= count &&
        receiver.received.map(({ body: { event, data } }) => `${event} ${data.title} ${data.state}`).sort(),
    );
  return { api, person: owner, receiver, delivered };
}

test('a create, an update, a move and a delete are delivered with the record as GET returns it', async () => {
  const { person: owner, receiver, delivered } = await createSite();
  const { body: created } = await owner.post('/api/task', { title: 'a' });
  await delivered(1);
  assert.deepEqual(receiver.received[0]?.body.data, created);
  await owner.put(`/api/task/${created.id}`, { title: 'b' });
  await delivered(2);
  await owner.post(`/api/task/${created.id}/workflow/move`, { to: 'done' });
  await delivered(3);
  await owner.delete(`/api/task/${created.id}`);
  assert.deepEqual(await delivered(4), [
    'task.created a open',
    'task.deleted b done',
    'task.updated b done',
    'task.updated b open',
  ]);
});

test('bulk calls deliver records of megabytes in total', async () => {
  const { person: owner, receiver, delivered } = await createSite();
  const details = { text: 'x'.repeat(700 * 1024) };
  const records = ['a', 'b', 'c'].map((title) => ({ title, details }));
  const { ids } = (await owner.post('/api/task/bulk', { records })).body;
  await owner.put('/api/task/bulk', { filter: { title__in: 'a,b,c' }, update: { size: 5 } });
  await owner.delete('/api/task/bulk', 200, { body: { ids } });
  const all = ['created', 'deleted', 'updated'].flatMap((kind) =>
    ['a', 'b', 'c'].map((title) => `task.${kind} ${title} open`),
  );
  assert.deepEqual(await delivered(9), all);
  for (const { body } of receiver.received) {
    assert.deepEqual(body.data.details, details);
    assert.equal(body.data.size, body.event === 'task.created' ? null : 5);
  }
});

test('bulk calls deliver each of their records', async () => {
  const { person: owner, delivered } = await createSite();
  const records = [{ title: 'a' }, { title: 'b' }];
  const { ids } = (await owner.post('/api/task/bulk', { records })).body;
  await owner.put('/api/task/bulk', { filter: { title__in: 'a,b' }, update: { state: 'done' } });
  await owner.delete('/api/task/bulk', 200, { body: { ids } });
  assert.deepEqual(await delivered(6), [
    'task.created a open',
    'task.created b open',
    'task.deleted a done',
    'task.deleted b done',
    'task.updated a done',
    'task.updated b done',
  ]);
});

test('a rejected write delivers nothing', async () => {
  const { person: owner, receiver, delivered } = await createSite();
  await owner.post('/api/task', { title: 'a' });
  await owner.post('/api/task', { title: 'a' }, 409);
  await owner.post('/api/task/bulk', { records: [{ title: 'b' }, { title: 'a' }] }, 400);
  await owner.post('/api/task', { title: 'c' });
  assert.deepEqual(await delivered(2), ['task.created a open', 'task.created c open']);
  assert.equal(receiver.received.length, 2);
});

test('a write with an Idempotency-Key is delivered once', async () => {
  const { person: owner, receiver, delivered } = await createSite();
  const keyed = owner.with({ 'idempotency-key': 'once' });
  const { body: first } = await keyed.post('/api/task', { title: 'a' });
  assert.deepEqual((await keyed.post('/api/task', { title: 'a' })).body, first);
  await owner.post('/api/task', { title: 'b' });
  assert.deepEqual(await delivered(2), ['task.created a open', 'task.created b open']);
  assert.equal(receiver.received.length, 2);
});

test('a receiver that serializes the payload again gets the same signature, whatever the numbers', async () => {
  const { person: owner, receiver, delivered } = await createSite();
  for (const size of [2.51, 2e20, 2e-7, 2e15, -0.0001, 1e300])
    await owner.post('/api/task', { title: `of ${size}`, size, details: { 2: size, a: [1e21, '\u2028é'] } });
  await delivered(6);
  for (const { body } of receiver.received) {
    const { signature, ...payload } = body;
    const own = createHmac('sha256', 'a secret').update(JSON.stringify(payload)).digest('hex');
    assert.equal(signature, `sha256=${own}`, payload.data.title);
  }
});

test('an update of more records than one batch delivers each', async () => {
  const { person: owner, delivered } = await createSite();
  const titles = Array.from({ length: 700 }, (_, place) => `task ${place}`);
  await owner.post('/api/task/bulk', { records: titles.map((title) => ({ title })) });
  await owner.put('/api/task/bulk', { filter: { title__like: 'task' }, update: { size: 5 } });
  const events = await delivered(1400);
  assert.equal(new Set(events).size, 1400);
});

test('nothing is delivered about a deleted entity, nor about a new one with the same name', async () => {
  const { api, person: owner, receiver, delivered } = await createSite();
  const second = { url: receiver.url, events: ['other.created', ...EVENTS, 'other.updated'], secret: 's' };
  await owner.post('/api/webhooks', second);
  const { fields, workflow } = (await api.get('/api/entities/task')).body;
  await owner.post('/api/task', { title: 'before' });
  await api.delete('/api/entities/task?drop=true');
  // Earlier changes are still delivered.
  assert.deepEqual(await delivered(2), ['task.created before open', 'task.created before open']);
  const { data } = (await owner.get('/api/webhooks')).body;
  assert.deepEqual(
    data.map(({ events }: { events: readonly string[] }) => events),
    [['other.created', 'other.updated'], []],
  );
  await api.post('/api/entities', { name: 'task', fields, workflow });
  await owner.post('/api/task', { title: 'namesake' });
  await owner.post('/api/other', { title: 'last' });
  await delivered(3);
  assert.deepEqual(
    receiver.received.map(({ body: { event, data: record } }) => `${event} ${record.title}`),
    ['task.created before', 'task.created before', 'other.created last'],
  );
});

test('a webhook registered during the deletion of its entity names no deleted entity', async () => {
  const { api, person: owner, receiver } = await createSite();
  const { fields } = (await api.get('/api/entities/other')).body;
  const body = { url: receiver.url, events: ['other.created'], secret: 's' };
  for (let turn = 0; turn < 10; turn += 1) {
    const [, registered] = await Promise.all([
      api.delete('/api/entities/other?drop=true'),
      owner.send('POST', '/api/webhooks', { body }),
    ]);
    assert.ok([200, 400].includes(registered.status), registered.text);
    await api.post('/api/entities', { name: 'other', fields });
  }
  const { data } = (await owner.get('/api/webhooks')).body;
  const named = data.flatMap(({ events }: { events: readonly string[] }) => events);
  assert.deepEqual(named, EVENTS);
});
