/** Filters through a relation, and counts by the values of a field. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createUnit } from '../../../../test/harness/members.ts';
import { createRecordsTenant, createSignedInMember } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const tenant = await createRecordsTenant(app, [
  {
    name: 'customer',
    owned_by: 'business_unit',
    fields: [
      { name: 'name', type: 'string', required: true },
      { name: 'email', type: 'string' },
      { name: 'age', type: 'integer' },
      {
        name: 'orders',
        type: 'relation',
        relation: { entity: 'order', kind: 'has_many', field: 'customer' },
      },
    ],
  },
  {
    name: 'order',
    fields: [
      { name: 'number', type: 'string', required: true, searchable: true },
      { name: 'lane', type: 'enum', enum: ['fast', 'slow'] },
      { name: 'total', type: 'number' },
      { name: 'count', type: 'integer' },
      { name: 'paid', type: 'boolean' },
      { name: 'sent_at', type: 'datetime' },
      { name: 'note', type: 'text' },
      { name: 'details', type: 'json' },
      { name: 'customer', type: 'relation', relation: { entity: 'customer', kind: 'belongs_to' } },
    ],
  },
]);
const { owner } = tenant;

async function create(entity: string, body: object): Promise<string> {
  return (await owner.post(`/api/${entity}`, body)).body.id;
}

const north = await createUnit(tenant, 'North');
const ada = await create('customer', { name: 'Ada', email: 'ada@example.org', age: 36 });
const bob = await create('customer', { name: 'Bob', age: 50, business_unit: north });
const SENT = '2026-11-23T08:00:00.000Z';
await owner.post('/api/order/bulk', {
  records: [
    { number: 'A-1', customer_id: ada, lane: 'fast', total: 1.5, count: 1, paid: true, sent_at: SENT },
    { number: 'A-2', customer_id: ada, lane: 'slow', total: 2, count: 9007199254740991 },
    { number: 'B-1', customer_id: bob, lane: 'slow', total: 4, paid: false },
    { number: 'C-1' },
  ],
});

/** Returns the numbers of the orders, or names of the customers, that a query finds. */
async function find(query: string, entity = 'order', as = owner): Promise<string[]> {
  const { body } = await as.get(`/api/${entity}?per_page=100&${query}`);
  assert.equal(body.pagination.total, body.data.length);
  return body.data.map((each: { number?: string; name?: string }) => each.number ?? each.name).sort();
}

async function count(query: string, as = owner) {
  return (await as.get(`/api/order/counts?${query}`)).body;
}

test('records are filtered by a field of the record that they belong to', async () => {
  assert.deepEqual(await find('customer.email=ada@example.org'), ['A-1', 'A-2']);
  assert.deepEqual(await find('customer.name__like=B'), ['B-1']);
  assert.deepEqual(await find('customer.name__in=Ada,Bob&lane=slow'), ['A-2', 'B-1']);
  assert.deepEqual(await find('customer.age__gt=40'), ['B-1']);
  assert.deepEqual(
    await find('customer.name__ne=Ada'),
    ['B-1', 'C-1'],
    'who has no customer has not this one',
  );
  assert.deepEqual(await find('customer.name__nin=Ada'), ['B-1', 'C-1']);
  assert.deepEqual(await find('customer.email__null=false'), ['A-1', 'A-2']);
  assert.deepEqual(await find('customer.email__null=true'), ['B-1', 'C-1']);
  assert.deepEqual(await find('customer._created_at__gt=2000-01-01'), ['A-1', 'A-2', 'B-1']);
});

test('records are filtered by records that belong to them, one of which must match', async () => {
  assert.deepEqual(await find('orders.lane=slow', 'customer'), ['Ada', 'Bob']);
  assert.deepEqual(await find('orders.paid=true', 'customer'), ['Ada']);
  assert.deepEqual(await find('orders.number__ne=A-1', 'customer'), ['Bob']);
});

test('a bulk update finds its records through a relation, too', async () => {
  const body = { filter: { 'customer.name': 'Bob' }, update: { note: 'Call' } };
  assert.equal((await owner.put('/api/order/bulk', body)).body.updated, 1);
  assert.deepEqual(await find('note__null=false'), ['B-1']);
});

test('a filter through an unknown relation is rejected', async () => {
  const faultOf = async (query: string) => (await owner.get(`/api/order?${query}`, 400)).body.errors;
  assert.deepEqual(await faultOf('client.name=Ada'), [
    { field: 'client.name', message: 'order has no relation client' },
  ]);
  assert.deepEqual(await faultOf('customer.colour=red'), [
    { field: 'customer.colour', message: 'there is no field colour' },
  ]);
  assert.deepEqual(await faultOf('customer.orders.lane=slow'), [
    { field: 'customer.orders.lane', message: 'must go through one relation only' },
  ]);
});

test('related records that the caller cannot see match no filter', async () => {
  const { person: member } = await createSignedInMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  assert.deepEqual(await find('customer.name=Ada', 'order', member), []);
  assert.deepEqual(await find('customer.name=Bob', 'order', member), ['B-1']);
});

test('records are counted by the values of a field, the most frequent first, with filters', async () => {
  assert.deepEqual(await count('by=lane'), {
    results: [
      { value: 'slow', count: 2 },
      { value: 'fast', count: 1 },
      { value: null, count: 1 },
    ],
    total: 4,
  });
  assert.deepEqual(await count('by=lane&customer.name=Ada&search=A-2'), {
    results: [{ value: 'slow', count: 1 }],
    total: 1,
  });
  assert.deepEqual((await count('by=customer_id')).results[0], { value: ada, count: 2 });
  assert.deepEqual((await count('by=sent_at&paid=true')).results, [{ value: SENT, count: 1 }]);
  assert.deepEqual((await count('by=paid&paid__null=false')).results, [
    { value: false, count: 1 },
    { value: true, count: 1 },
  ]);
  assert.deepEqual(await count('by=lane&number=none'), { results: [], total: 0 });
});

test('counts sum up a numeric field for each value and in total', async () => {
  assert.deepEqual(await count('by=lane&sum=total'), {
    results: [
      { value: 'slow', count: 2, sum: 6 },
      { value: 'fast', count: 1, sum: 1.5 },
      { value: null, count: 1, sum: 0 },
    ],
    total: 4,
    sum: 7.5,
  });
  const { text } = await owner.get('/api/order/counts?by=paid&sum=count&lane=fast');
  assert.match(text, /"sum" ?: ?1\D.*"sum":1}/);
  assert.deepEqual(await count('by=lane&sum=total&number=none'), { results: [], total: 0, sum: 0 });
});

test('fields that cannot be counted or summed up are named', async () => {
  const faultsOf = async (query: string) => {
    const { body } = await owner.get(`/api/order/counts?${query}`, 400);
    return body.errors.map(({ field }: { field: string }) => field);
  };
  assert.deepEqual(await faultsOf(''), ['by']);
  assert.deepEqual(await faultsOf('by=colour&sum=lane'), ['by', 'sum']);
  assert.deepEqual(await faultsOf('by=details'), ['by']);
  assert.deepEqual(await faultsOf('by=note'), ['by']);
  assert.deepEqual(await faultsOf('by=lane&colour=red'), ['colour']);
});
