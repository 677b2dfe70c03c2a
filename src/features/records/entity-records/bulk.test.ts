import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const tenant = await createRecordsTenant(app, SHOP);
const { owner } = tenant;
const ABSENT = '00000000-0000-7000-8000-000000000000';
let numbers = 0;

/** Returns bodies of orders, each with a unique number. */
function orders(count: number, more: object = {}) {
  return Array.from({ length: count }, () => {
    numbers += 1;
    return { number: `A-${numbers}`, ...more };
  });
}

async function total(query: string): Promise<number> {
  return (await owner.get(`/api/order?${query}&per_page=1`)).body.pagination.total;
}

test('a thousand records are created in the order of the request', async () => {
  const records = orders(1000, { total: 1.5, details: { deep: [1, '"'] }, note: 'thousand' });
  const { body } = await owner.post('/api/order/bulk', { records });
  assert.deepEqual([body.success, body.created, body.ids.length], [true, 1000, 1000]);
  const last = (await owner.get(`/api/order/${body.ids[999]}`)).body;
  assert.equal(last.number, records[999]?.number);
  assert.deepEqual([last.details, last.status, last.paid], [{ deep: [1, '"'] }, 'open', false]);
  assert.equal(await total('note=thousand'), 1000);
});

test('one invalid record stops a bulk create, and is named', async () => {
  const before = await total('');
  const [first, second, third, fourth] = orders(4);
  const refused = await owner.post(
    '/api/order/bulk',
    { records: [first, { ...second, total: -1 }, 7, { ...fourth, number: 'wrong', lane: 'none' }] },
    400,
  );
  assert.deepEqual(
    refused.body.errors.map(({ field }: { field: string }) => field),
    ['records[1].total', 'records[2]', 'records[3].number', 'records[3].lane'],
  );
  const related = await owner.post(
    '/api/order/bulk',
    { records: [first, second, { ...third, customer_id: ABSENT }] },
    400,
  );
  assert.deepEqual(related.body.errors, [
    { field: 'records[2].customer_id', message: 'must reference an existing record of customer' },
  ]);
  const moved = await owner.post('/api/order/bulk', { records: [first, { ...second, status: 'paid' }] }, 422);
  assert.equal(moved.body.errors.length, 1);
  assert.equal(await total(''), before);
});

test('existing and repeated unique values are rejected', async () => {
  const [first, second, third] = orders(3);
  await owner.post('/api/order', first);
  const before = await total('');
  const records = [second, first, third, third];
  const { body } = await owner.post('/api/order/bulk', { records }, 400);
  assert.deepEqual(
    body.errors.map(({ field }: { field: string }) => field),
    ['records[1].number', 'records[3].number'],
  );
  assert.equal(await total(''), before);
});

test('an update reaches every match of the filter, and counts exactly', async () => {
  const { ids } = (await owner.post('/api/order/bulk', { records: orders(30, { note: 'many', count: 1 }) }))
    .body;
  await owner.post('/api/order/bulk', { records: orders(5, { note: 'few', count: 1 }) });
  const update = { count: 2, note: 'changed' };
  const changed = await owner.put('/api/order/bulk', {
    filter: { note__in: 'many,none', count: 1 },
    update,
  });
  assert.deepEqual(changed.body, { success: true, updated: 30 });
  assert.equal(await total('note=changed&count=2'), 30);
  assert.equal(await total('note=few&count=1'), 5);
  const none = await owner.put('/api/order/bulk', { filter: { note: 'many' }, update });
  assert.deepEqual(none.body, { success: true, updated: 0 });
  const list = { filter: { id__in: ids.slice(0, 3) }, update: { note: null } };
  assert.equal((await owner.put('/api/order/bulk', list)).body.updated, 3);
});

test('an update that breaks a rule changes nothing', async () => {
  await owner.post('/api/order/bulk', { records: orders(3, { note: 'rules' }) });
  const filter = { note: 'rules' };
  const taken = await owner.put('/api/order/bulk', { filter, update: { number: 'Z-1' } }, 409);
  assert.equal(taken.body.errors[0].field, 'update.number');
  const bad = await owner.put('/api/order/bulk', { filter, update: { total: 'x', lane: 'y' } }, 400);
  assert.deepEqual(
    bad.body.errors.map(({ field }: { field: string }) => field),
    ['update.total', 'update.lane'],
  );
  const related = await owner.put('/api/order/bulk', { filter, update: { customer_id: ABSENT } }, 400);
  assert.equal(related.body.errors[0].field, 'update.customer_id');
  assert.equal(await total('note=rules&number__like=A-'), 3);
});

test('an update along the workflow moves all matches or none', async () => {
  const { ids } = (await owner.post('/api/order/bulk', { records: orders(3, { note: 'flow' }) })).body;
  const filter = { note: 'flow' };
  await owner.put(`/api/order/${ids[0]}`, { status: 'lost' });
  const { body } = await owner.put('/api/order/bulk', { filter, update: { status: 'paid' } }, 422);
  assert.deepEqual(body.errors, ['status cannot go from lost to paid.']);
  assert.equal(await total('note=flow&status=open'), 2);
  await owner.put(`/api/order/${ids[0]}`, { status: 'open' });
  const moved = await owner.put('/api/order/bulk', { filter, update: { status: 'paid' } });
  assert.equal(moved.body.updated, 3);
  await owner.put('/api/order/bulk', { filter, update: { status: 'elsewhere' } }, 422);
});

test('a bulk deletion deletes all ids or none', async () => {
  const { ids } = (await owner.post('/api/order/bulk', { records: orders(4) })).body;
  const { body } = await owner.send('DELETE', '/api/order/bulk', { body: { ids: [ids[0], ABSENT, 'x'] } });
  assert.deepEqual(
    body.errors.map(({ field }: { field: string }) => field),
    ['ids[2]'],
  );
  const unknown = await owner.send('DELETE', '/api/order/bulk', { body: { ids: [ids[0], ABSENT] } });
  assert.equal(unknown.status, 400);
  assert.deepEqual(unknown.body.errors, [
    { field: 'ids[1]', message: 'must be the id of an existing record' },
  ]);
  await owner.post('/api/order_item', { quantity: 1, order_id: ids[3] });
  const used = await owner.send('DELETE', '/api/order/bulk', { body: { ids } });
  assert.deepEqual([used.status, used.body.error], [409, 'conflict']);
  assert.match(used.body.message, /refer to this one: order_item [\da-f-]{36} \(order_id\)\.$/);
  assert.equal(await total(`id__in=${ids}`), 4);
  const deleted = await owner.send('DELETE', '/api/order/bulk', { body: { ids: ids.slice(0, 3) } });
  assert.deepEqual(deleted.body, { success: true, deleted: 3 });
  assert.equal(await total(`id__in=${ids}`), 1);
});

test('a duplicate number is reported with its record, however large or small', async () => {
  const { api } = tenant;
  await api.post('/api/entities', {
    name: 'gauge',
    fields: [{ name: 'size', type: 'number', unique: true }],
  });
  const sizes = [1e-7, 1e20, 0.1, 5];
  await owner.post('/api/gauge/bulk', { records: sizes.map((size) => ({ size })) });
  const { body } = await owner.post(
    '/api/gauge/bulk',
    { records: [{ size: 7 }, ...sizes.map((size) => ({ size }))] },
    400,
  );
  assert.deepEqual(
    body.errors.map(({ field }: { field: string }) => field),
    sizes.map((_, place) => `records[${place + 1}].size`),
  );
});

/** Creates all of these lists concurrently, with conflicts between them: only one of them succeeds. */
async function requireOneMade(entity: string, lists: readonly (readonly object[])[]): Promise<void> {
  const calls = lists.map((records) => owner.send('POST', `/api/${entity}/bulk`, { body: { records } }));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.deepEqual(
    statuses
      .map((status) => (status === 200 ? 'made' : [400, 409].includes(status) ? 'refused' : status))
      .sort(),
    ['made', 'refused', 'refused'],
  );
}

test('concurrent bulk creates have the same result as sequential ones', async () => {
  for (let round = 0; round < 8; round += 1) {
    const records = orders(300);
    await requireOneMade('order', [records, records.toReversed(), records]);
  }
});

test('bulk creates that wait for each other in a cycle have the same result as sequential ones', async () => {
  const unique = { type: 'string', unique: true };
  await tenant.api.post('/api/entities', {
    name: 'seat',
    fields: [
      { name: 'ticket', ...unique },
      { name: 'place', ...unique },
    ],
  });
  for (let round = 0; round < 2; round += 1) {
    const places = orders(300).map(({ number }) => number);
    const lists = [places, places.toReversed(), places].map((some, list) =>
      some.map((place, row) => ({ ticket: `${round}-${list}-${String(row).padStart(3, '0')}`, place })),
    );
    await requireOneMade('seat', lists);
  }
});

test('the error on deleting a referenced record names the first referencing records and the number of others', async () => {
  const { id: customer_id } = (await owner.post('/api/customer', { name: 'Ann' })).body;
  const records = orders(7).map((order) => ({ ...order, customer_id }));
  const { ids } = (await owner.post('/api/order/bulk', { records })).body;
  const { message } = (await owner.delete(`/api/customer/${customer_id}`, 409)).body;
  const named = [...ids].sort().slice(0, 5);
  const first = named.map((id) => `order ${id} (customer_id)`).join(', ');
  assert.equal(message, `Other records refer to this one: ${first} and 2 more.`);
});
