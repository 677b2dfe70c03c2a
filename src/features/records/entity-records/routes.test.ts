import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const tenant = await createRecordsTenant(app, SHOP);
const { owner } = tenant;
let numbers = 0;

/** Returns the body of an order with a unique number. */
function order(more: object = {}) {
  numbers += 1;
  return { number: `A-${numbers}`, ...more };
}

async function create(entity: string, body: object): Promise<string> {
  return (await owner.post(`/api/${entity}`, body)).body.id;
}

test('a new record is returned with all its fields, defaults and system fields', async () => {
  const customer = await create('customer', { name: 'Ada' });
  const body = order({
    total: 12.5,
    count: 9007199254740991,
    due: '2026-02-28',
    sent_at: '2026-11-23T10:00:00+02:00',
    details: { b: [1, { c: null }], a: 'ü' },
    token: 'ABCDEF01-0000-7000-8000-000000000000',
    customer_id: customer,
    unknown: 'is ignored',
    _created_by: 'somebody else',
  });
  const { body: created } = await owner.post('/api/order', body);
  const { id, _created_at, _updated_at, ...rest } = created;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.match(_created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  assert.equal(_created_at, _updated_at);
  assert.deepEqual(rest, {
    number: body.number,
    total: 12.5,
    count: 9007199254740991,
    paid: false,
    due: '2026-02-28',
    sent_at: '2026-11-23T08:00:00.000Z',
    details: { b: [1, { c: null }], a: 'ü' },
    token: 'abcdef01-0000-7000-8000-000000000000',
    note: null,
    lane: null,
    status: 'open',
    agent: null,
    customer_id: customer,
    _created_by: tenant.ownerUserId,
    _updated_by: tenant.ownerUserId,
  });
  assert.deepEqual((await owner.get(`/api/order/${id}`)).body, created);
});

test('an invalid body returns each issue with its field', async () => {
  const { body } = await owner.post(
    '/api/order',
    {
      number: 'a-1',
      total: -1,
      count: 2 ** 53,
      paid: 'yes',
      due: '2026-02-30',
      sent_at: 'soon',
      token: 'x',
      note: 7,
      lane: 'middle',
      customer_id: 'nobody',
    },
    400,
  );
  assert.equal(body.error, 'bad_request');
  assert.deepEqual(
    body.errors.map(({ field }: { field: string }) => field),
    ['number', 'total', 'count', 'paid', 'due', 'sent_at', 'token', 'note', 'lane', 'customer_id'],
  );
  assert.deepEqual((await owner.post('/api/order', {}, 400)).body.errors, [
    { field: 'number', message: 'is required' },
  ]);
  for (const wrong of [[], 'text', 7, null]) await owner.post('/api/order', wrong, 400);
});

test('duplicate values and missing related records are rejected with their field', async () => {
  const { number } = (await owner.post('/api/order', order())).body;
  assert.deepEqual((await owner.post('/api/order', { number }, 409)).body, {
    error: 'conflict',
    message: 'Another record has this value.',
    errors: [{ field: 'number', message: 'is already used by another record' }],
  });
  const absent = '00000000-0000-7000-8000-000000000000';
  const refused = await owner.post('/api/order', order({ customer_id: absent }), 400);
  assert.deepEqual(refused.body.errors, [
    { field: 'customer_id', message: 'must reference an existing record of customer' },
  ]);
});

test('an update changes the given fields only, and null clears one', async () => {
  const { body: created } = await owner.post('/api/order', order({ total: 1, note: 'keep' }));
  const { body: changed } = await owner.put(`/api/order/${created.id}`, { total: 2, lane: 'fast' });
  assert.deepEqual(changed, { ...created, total: 2, lane: 'fast', _updated_at: changed._updated_at });
  const { body: cleared } = await owner.put(`/api/order/${created.id}`, { note: null });
  assert.equal(cleared.note, null);
  assert.equal(cleared.total, 2);
  const refused = await owner.put(`/api/order/${created.id}`, { number: null }, 400);
  assert.deepEqual(refused.body.errors, [{ field: 'number', message: 'is required' }]);
  await owner.put('/api/order/00000000-0000-7000-8000-000000000000', { total: 2 }, 404);
  await owner.put('/api/order/nothing', { total: 2 }, 404);
});

test('a deleted record is not found; one that others reference cannot be deleted', async () => {
  const customer = await create('customer', { name: 'Ada' });
  const id = await create('order', order({ customer_id: customer }));
  const { body } = await owner.delete(`/api/customer/${customer}`, 409);
  const message = `Other records refer to this one: order ${id} (customer_id).`;
  assert.deepEqual(body, { error: 'conflict', message });
  assert.equal((await owner.delete(`/api/order/${id}`)).body.success, true);
  await owner.get(`/api/order/${id}`, 404);
  await owner.delete(`/api/order/${id}`, 404);
  await owner.delete(`/api/customer/${customer}`);
});

test('an unknown entity and a malformed id are not found', async () => {
  for (const path of ['/api/nothing', '/api/nothing/x', '/api/order/x', '/api/__proto__', '/api/constructor'])
    assert.equal((await owner.get(path, 404)).body.error, 'not_found');
});

test('relations are included next to their ids, nested, and arrays newest first', async () => {
  const customer = await create('customer', { name: 'Ada' });
  const product = await create('product', { title: 'Pen' });
  const id = await create('order', order({ customer_id: customer }));
  const other = await create('order', order());
  for (const quantity of [1, 2]) await create('order_item', { quantity, order_id: id, product_id: product });
  const path = `/api/order?id__in=${id},${other}&sort=number&include=items.product,customer.orders&fields=number`;
  const [first, second] = (await owner.get(path)).body.data;
  assert.deepEqual(Object.keys(first), ['id', 'number', 'items', 'customer']);
  assert.deepEqual(
    first.items.map(({ quantity, product: { title } }: { quantity: number; product: { title: string } }) => [
      quantity,
      title,
    ]),
    [
      [2, 'Pen'],
      [1, 'Pen'],
    ],
  );
  assert.equal(first.customer.orders[0].id, id);
  assert.deepEqual([second.items, second.customer], [[], null]);
  const one = (await owner.get(`/api/order/${id}?include=customer`)).body;
  assert.equal(one.customer.name, 'Ada');
  assert.equal(one.customer_id, customer);
});

test('a list is newest first, in pages with exact totals', async () => {
  const { owner: other } = await createRecordsTenant(app, [
    { name: 'thing', fields: [{ name: 'rank', type: 'integer' }] },
  ]);
  const empty = (await other.get('/api/thing')).body;
  assert.deepEqual(empty, { data: [], pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 } });
  const { ids } = (
    await other.post('/api/thing/bulk', {
      records: Array.from({ length: 45 }, (_, rank) => ({ rank: rank % 10 === 0 ? null : rank })),
    })
  ).body;
  const newest = [...ids].reverse();
  for (const page of [1, 2, 3, 4, 9007199254740991]) {
    const { body } = await other.get(`/api/thing?page=${page}&fields=id`);
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      newest.slice((page - 1) * 20, page * 20),
    );
    assert.deepEqual(body.pagination, { page, per_page: 20, total: 45, total_pages: 3 });
  }
  const ranks = async (sort: string) =>
    (await other.get(`/api/thing?per_page=100&fields=rank&sort=${sort}`)).body.data.map(
      ({ rank }: { rank: number | null }) => rank,
    );
  const filled = Array.from({ length: 45 }, (_, rank) => rank).filter((rank) => rank % 10 !== 0);
  const nulls = Array.from({ length: 5 }, () => null);
  assert.deepEqual(await ranks('rank'), [...filled, ...nulls]);
  assert.deepEqual(await ranks('-rank'), [...filled.reverse(), ...nulls]);
});

test('search finds words in searchable fields, the last one by its beginning', async () => {
  const mark = `w${Date.now()}`;
  const id = await create('order', order({ note: `Blue lamp ${mark}, 50% off` }));
  const found = async (text: string) =>
    (await owner.get(`/api/order?search=${encodeURIComponent(text)}`)).body.data.map(
      (each: { id: string }) => each.id,
    );
  for (const text of [`${mark}`, `LAMP ${mark}`, `${mark} blu`, `blue lamp ${mark.slice(0, -1)}`])
    assert.deepEqual(await found(text), [id], text);
  for (const text of [`blu ${mark}`, `${mark} red`]) assert.deepEqual(await found(text), [], text);
  for (const text of ["'", "a'b\\", '& | ! <->', ':*', '((', '\\', "''''", '!!', `${mark} & !x`])
    await found(text);
  assert.equal((await owner.get('/api/product?search=x', 400)).body.errors[0].field, 'search');
});

test('a response is stored for an Idempotency-Key', async () => {
  const headers = { 'idempotency-key': `k${Date.now()}` };
  const body = order();
  const first = await owner.post('/api/order', body, 200, { headers });
  const again = await owner.post('/api/order', body, 200, { headers });
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
  await owner.post('/api/order', order(), 409, { headers });
});

test('a response too large because of its includes is rejected', async () => {
  const parent = { entity: 'node', kind: 'belongs_to' };
  const fields = [
    { name: 'title', type: 'string' },
    { name: 'up', type: 'relation', relation: parent },
  ];
  await tenant.api.post('/api/entities', { name: 'node', fields });
  const kids = {
    name: 'kids',
    type: 'relation',
    relation: { entity: 'node', kind: 'has_many', field: 'up' },
  };
  await tenant.api.put('/api/entities/node', { fields: [...fields, kids] });
  const { id } = (await owner.post('/api/node', { title: 'root' })).body;
  const records = Array.from({ length: 80 }, () => ({ title: 'kid', up_id: id }));
  await owner.post('/api/node/bulk', { records });
  const list = `/api/node?up_id=${id}&per_page=100&include=up.kids`;
  assert.equal((await owner.get(list)).body.data[0].up.kids.length, 80);
  const { body } = await owner.get(`${list}.up.kids`, 400);
  assert.equal(body.errors[0].field, 'include');
});
