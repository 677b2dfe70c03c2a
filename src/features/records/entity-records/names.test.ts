/** Names in bodies and filters: relations, units, unknown fields. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createUnit } from '../../../../test/harness/members.ts';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createRecordsTenant(app, [
  ...SHOP,
  {
    name: 'visit',
    owned_by: 'business_unit',
    fields: [
      { name: 'place', type: 'string' },
      { name: 'day', type: 'date' },
      { name: 'at', type: 'datetime' },
    ],
  },
]);
const { owner: user } = tenant;

test('bodies and filters may use the name of a relation', async () => {
  const { id } = (await user.post('/api/customer', { name: 'Ada' })).body;
  const order = (await user.post('/api/order', { number: 'A-1', customer: id })).body;
  assert.equal(order.customer_id, id);
  const other = (await user.post('/api/customer', { name: 'Eve' })).body.id;
  const moved = (await user.put(`/api/order/${order.id}`, { customer: other })).body;
  assert.equal(moved.customer_id, other);
  const found = (await user.get(`/api/order?customer=${other}`)).body;
  assert.deepEqual(
    found.data.map((each: { id: string }) => each.id),
    [order.id],
  );
  const updated = await user.put('/api/order/bulk', {
    filter: { customer: other },
    update: { customer: id },
  });
  assert.equal(updated.body.updated, 1);
  const absent = await user.post('/api/order', { number: 'A-2', customer: order.id }, 400);
  assert.equal(absent.body.errors[0].field, 'customer_id');
});

test('a body whose two names of a relation mean different records is rejected', async () => {
  const { id } = (await user.post('/api/customer', { name: 'Ada' })).body;
  const other = (await user.post('/api/customer', { name: 'Eve' })).body.id;
  const order = (await user.post('/api/order', { number: 'A-9', customer: id, customer_id: id })).body;
  const both = { customer: other, customer_id: id };
  const refused = [{ field: 'customer_id', message: 'must be the same record as customer' }];
  assert.deepEqual((await user.put(`/api/order/${order.id}`, both, 400)).body.errors, refused);
  assert.deepEqual((await user.post('/api/order', { number: 'A-10', ...both }, 400)).body.errors, refused);
  const bulk = await user.post('/api/order/bulk', { records: [{ number: 'A-11', ...both }] }, 400);
  assert.equal(bulk.body.errors[0].field, 'records[0].customer_id');
  assert.equal((await user.get(`/api/order/${order.id}`)).body.customer_id, id);
});

test('a record read with an included relation may be sent back', async () => {
  const { id } = (await user.post('/api/customer', { name: 'Ada' })).body;
  const order = (await user.post('/api/order', { number: 'A-3', customer_id: id })).body;
  const shown = (await user.get(`/api/order/${order.id}?include=customer`)).body;
  const { headers } = await user.put(`/api/order/${order.id}`, shown);
  assert.equal(headers.get('warning'), null);
});

test('an unknown field is ignored with a warning, and rejected on request', async () => {
  const created = await user.post('/api/customer', { name: 'Ada', emial: 'a@example.com' });
  assert.equal(created.headers.get('warning'), '299 - "unknown member: emial (did you mean email?)"');
  const path = `/api/customer/${created.body.id}`;
  const strict = await user.send('PUT', path, {
    body: { nmae: 'Eve' },
    headers: { prefer: 'handling=strict' },
  });
  assert.equal(strict.status, 400);
  assert.deepEqual(strict.body.errors, [
    { field: 'nmae', message: 'is not a known member (did you mean name?)' },
  ]);
  await user.patch(path, { nmae: 'Eve' }, 400);
  const many = await user.post('/api/customer/bulk', { records: [{ name: 'A' }, { name: 'B', x: 1 }] });
  assert.equal(many.headers.get('warning'), '299 - "unknown member: records[1].x"');
});

test('records are filtered by the slug or the name of their unit, and created in it', async () => {
  const unit = await createUnit(tenant, 'North');
  const { id } = (await user.post('/api/visit', { place: 'A', business_unit: 'North' })).body;
  await user.post('/api/visit', { place: 'B' });
  for (const filter of ['business_unit=North', 'business_unit=north', 'business_unit__in=nowhere,North']) {
    const { data } = (await user.get(`/api/visit?${filter}`)).body;
    assert.deepEqual(
      data.map((each: { id: string; business_unit: string }) => [each.id, each.business_unit]),
      [[id, unit]],
    );
  }
  assert.equal((await user.get('/api/visit?business_unit=nowhere')).body.pagination.total, 0);
});

test('like compares the ISO text of dates and times', async () => {
  const body = { place: 'C', day: '2026-11-21', at: '2026-11-21T10:30:00.000Z' };
  const { id } = (await user.post('/api/visit', body)).body;
  for (const filter of ['day__like=2026-11', 'at__like=-21T10:30', 'day__like=11-21&at__like=2026']) {
    const { data } = (await user.get(`/api/visit?${filter}`)).body;
    assert.deepEqual(
      data.map((each: { id: string }) => each.id),
      [id],
    );
  }
  assert.equal((await user.get('/api/visit?day__like=2025')).body.pagination.total, 0);
});

test('filters support fields that end in an underscore, and relations and fields named like operators', async () => {
  const odd = await createRecordsTenant(app, [
    { name: 'owner', fields: [{ name: 'in_', type: 'string' }] },
    {
      name: 'part',
      fields: [
        { name: 'x_', type: 'integer' },
        { name: 'x', type: 'integer' },
        { name: 'gt', type: 'integer' },
        { name: 'null_', type: 'string' },
        { name: 'of_', type: 'relation', relation: { entity: 'owner', kind: 'belongs_to' } },
      ],
    },
  ]);
  const owner = (await odd.owner.post('/api/owner', { in_: 'a' })).body.id;
  const first = { x_: 1, x: 20, gt: 3, null_: 'one', of__id: owner };
  const ids: string[] = [];
  for (const part of [first, { x_: 10, x: 2, gt: 30 }])
    ids.push((await odd.owner.post('/api/part', part)).body.id);
  for (const [query, expected] of [
    ['x_=1', [0]],
    ['x___gt=5', [1]],
    ['x__gt=5', [0]],
    ['x___in=1,10', [0, 1]],
    ['x___null=true', []],
    ['gt=3', [0]],
    ['gt__gt=3', [1]],
    ['null_=one', [0]],
    ['null___null=true', [1]],
    [`of__id=${owner}`, [0]],
    [`of__id__null=true`, [1]],
    [`of_=${owner}`, [0]],
    [`of___in=${owner}`, [0]],
    ['of_.in_=a', [0]],
    ['of_.in___like=A', [0]],
    ['of_.in___null=true', [1]],
  ] as const) {
    const { data } = (await odd.owner.get(`/api/part?${query}`)).body;
    const found = data.map((part: { id: string }) => ids.indexOf(part.id)).toSorted();
    assert.deepEqual(found, expected, query);
  }
  for (const [query, field] of [
    ['x____gt=5', 'x____gt'],
    ['x__=5', 'x__'],
    ['y___gt=5', 'y___gt'],
    ['of_.in____like=a', 'of_.in____like'],
  ])
    assert.equal((await odd.owner.get(`/api/part?${query}`, 400)).body.errors[0].field, field);
});
