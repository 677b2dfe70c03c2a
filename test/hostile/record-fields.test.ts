/** Unknown and malformed parameters are rejected by name, and never cause a server error. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant, SHOP } from '../harness/records.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const { owner } = await createRecordsTenant(app, SHOP);
const { id } = (await owner.post('/api/order', { number: 'A-1' })).body;

/** Queries of a list, and the field that each error names. */
const REFUSED: readonly (readonly [query: string, field: string])[] = [
  ['nothing=1', 'nothing'],
  ['number__is=1', 'number__is'],
  ['number__=1', 'number__'],
  ['number__gt__lt=1', 'number__gt__lt'],
  ['__gt=1', '__gt'],
  ['=1', ''],
  ['__proto__=1', '__proto__'],
  ['__proto____gt=1', '__proto____gt'],
  ['constructor=1', 'constructor'],
  ['constructor__in=1', 'constructor__in'],
  ['toString__null=true', 'toString__null'],
  ['number[]=1', 'number[]'],
  ['number=1&number=2', 'number'],
  ['f_number=1', 'f_number'],
  ['tenant_id=1', 'tenant_id'],
  ['created_at=2026-01-01', 'created_at'],
  ['customer=x', 'customer'],
  ['items=x', 'items'],
  ['customer.name.first=x', 'customer.name.first'],
  ['total=abc', 'total'],
  ['total=', 'total'],
  ['total=0x10', 'total'],
  ['total=Infinity', 'total'],
  ['total=NaN', 'total'],
  ['total__gt=1e999', 'total__gt'],
  ['total__like=1', 'total__like'],
  ['count=1.5', 'count'],
  ['count=9007199254740992', 'count'],
  ['count__lt=-99999999999999999999', 'count__lt'],
  ['count__in=1,x', 'count__in'],
  ['count__in=1,,2', 'count__in'],
  ['paid=1', 'paid'],
  ['paid=TRUE', 'paid'],
  ['paid__gt=true', 'paid__gt'],
  ['paid__null=maybe', 'paid__null'],
  ['due=2026-02-30', 'due'],
  ['due=0000-01-01', 'due'],
  ['due=10000-01-01', 'due'],
  ['due=2026-01-01T00:00:00Z', 'due'],
  ['sent_at__gt=yesterday', 'sent_at__gt'],
  ['sent_at=0001-01-01T00:00:00%2B14:00', 'sent_at'],
  ['_created_at=x', '_created_at'],
  ['token=x', 'token'],
  ['customer_id=x', 'customer_id'],
  ['id=x', 'id'],
  ['details=1', 'details'],
  ['details__like=1', 'details__like'],
  ['number=%00', 'number'],
  ['search=%00', 'search'],
  ['%00=1', '\0'],
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=1e3', 'page'],
  ['page=99999999999999999999', 'page'],
  ['page=1&page=2', 'page'],
  ['per_page=0', 'per_page'],
  ['per_page=101', 'per_page'],
  ['per_page=x', 'per_page'],
  ['sort=nothing', 'sort'],
  ['sort=number;drop', 'sort'],
  ['sort=--number', 'sort'],
  ['sort=number,', 'sort'],
  ['sort=details', 'sort'],
  ['sort=__proto__', 'sort'],
  ['sort=number&sort=total', 'sort'],
  ['fields=nothing', 'fields'],
  ['fields=id,,number', 'fields'],
  ['fields=__proto__', 'fields'],
  ['fields=customer', 'fields'],
  ['fields=*', 'fields'],
  ['include=nothing', 'include'],
  ['include=customer_id', 'include'],
  ['include=customer,', 'include'],
  ['include=constructor', 'include'],
  ['include=customer.nothing', 'include'],
  ['include=customer..orders', 'include'],
  ['include=customer.orders.customer.orders.customer', 'include'],
  [`include=${'items,customer,'.repeat(3)}x`, 'include'],
  [`search=${'a'.repeat(1001)}`, 'search'],
];

for (const [query, field] of REFUSED)
  test(`${query.slice(0, 60)} is rejected`, async () => {
    const { body } = await owner.get(`/api/order?${query}`, 400);
    assert.equal(body.error, 'bad_request');
    assert.equal(body.errors[0].field, field, JSON.stringify(body));
  });

test('more filters than the limit are rejected', async () => {
  const many = Array.from({ length: 1000 }, (_, place) => `f${place}=`).join('&');
  assert.equal((await owner.get(`/api/order?${many}`, 400)).body.error, 'bad_request');
  const long = Array.from({ length: 1001 }, () => '1').join();
  assert.equal((await owner.get(`/api/order?count__in=${long}`, 400)).body.errors[0].field, 'count__in');
});

test('values at the limits of PostgreSQL types are found', async () => {
  for (const query of [
    'total=1e308',
    'total__gt=-1.7976931348623157e308',
    'total=5e-324',
    'count=-9007199254740991',
    'due__gte=0001-01-01',
    'due__lte=9999-12-31',
    'sent_at__lt=9999-12-31T23:59:59.999Z',
    'number__like=%25',
    "number='",
    'number=%5C',
    'number__in=',
    'token__in=',
    'id__gt=00000000-0000-0000-0000-000000000000',
    'search=',
    'sort=',
    'fields=',
    'include=',
  ])
    await owner.get(`/api/order?${query}`);
});

/** Bodies of an order, and the field that each error names. */
const REFUSED_BODIES: readonly (readonly [body: string, field: string])[] = [
  ['{"number":"A-2","total":1e999}', 'total'],
  ['{"number":"A-2","details":{"a":1e999}}', 'details'],
  ['{"number":"A-2","note":"\\u0000"}', 'note'],
  ['{"number":"A-2","note":"\\ud800"}', 'note'],
  ['{"number":"A-2","details":{"a":"\\u0000"}}', 'details.a'],
  ['{"number":"A-2","__proto__":{}}', ''],
  ['{"number":["A-2"]}', 'number'],
  ['{"number":{"toString":1}}', 'number'],
  ['{"number":"A-2","count":9007199254740993}', 'count'],
  ['{"number":"A-2","count":1.5}', 'count'],
  ['{"number":"A-2","due":"2026-13-01"}', 'due'],
  ['{"number":"A-2","due":20260101}', 'due'],
  ['{"number":"A-2","sent_at":"10000-01-01T00:00:00Z"}', 'sent_at'],
  ['{"number":"A-2","token":["a"]}', 'token'],
  [`{"number":"A-${'1'.repeat(600)}"}`, 'number'],
  ['[]', ''],
  ['"x"', ''],
  ['{', ''],
];

for (const [rawBody, field] of REFUSED_BODIES)
  test(`the body ${rawBody.slice(0, 60)} is rejected`, async () => {
    const headers = { 'content-type': 'application/json' };
    for (const [method, path] of [
      ['POST', '/api/order'],
      ['PUT', `/api/order/${id}`],
    ] as const) {
      const { status, body } = await owner.send(method, path, { rawBody, headers });
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(body.errors[0].field, field, JSON.stringify(body));
    }
  });

test('bulk calls reject bodies that are empty, too long or of another form', async () => {
  const record = { number: 'A-9' };
  for (const [method, body] of [
    ['POST', {}],
    ['POST', { records: [] }],
    ['POST', { records: {} }],
    ['POST', { records: [null] }],
    ['POST', { records: [[]] }],
    ['POST', { records: Array.from({ length: 1001 }, () => record) }],
    ['PUT', {}],
    ['PUT', { filter: {}, update: { note: 'x' } }],
    ['PUT', { filter: { number: 'x' }, update: {} }],
    ['PUT', { filter: { number: 'x' }, update: { nothing: 1 } }],
    ['PUT', { filter: { nothing: 'x' }, update: { note: 'x' } }],
    ['PUT', { filter: { constructor: 'x' }, update: { note: 'x' } }],
    ['PUT', { filter: { number: null }, update: { note: 'x' } }],
    ['PUT', { filter: { number: {} }, update: { note: 'x' } }],
    ['PUT', { filter: { count__in: [[1]] }, update: { note: 'x' } }],
    ['PUT', { filter: [], update: { note: 'x' } }],
    ['PUT', { filter: { page: 1 }, update: { note: 'x' } }],
    ['PUT', { filter: { search: 'x' }, update: { note: 'x' } }],
    ['DELETE', {}],
    ['DELETE', { ids: [] }],
    ['DELETE', { ids: [1] }],
    ['DELETE', { ids: ['x'] }],
    ['DELETE', { ids: [id, id] }],
    ['DELETE', { ids: Array.from({ length: 1001 }, () => id) }],
  ] as const) {
    const answer = await owner.send(method, '/api/order/bulk', { body });
    assert.equal(
      answer.status,
      400,
      `${method} ${JSON.stringify(body).slice(0, 100)}: ${answer.text.slice(0, 300)}`,
    );
  }
});

test('too many relations are rejected', async () => {
  const deep = [
    'customer',
    'items',
    'customer.orders',
    'customer.orders.items',
    'items.order',
    'items.product',
  ];
  await owner.get(`/api/order?include=${deep.join()}`);
  const paths = ['customer', 'items'].flatMap((first) =>
    ['orders', 'order', 'product'].flatMap((second) =>
      ['customer', 'items'].flatMap((third) => [
        `${first}.${second}.${third}.order`,
        `${first}.${second}.${third}.orders`,
      ]),
    ),
  );
  assert.equal((await owner.get(`/api/order?include=${paths.join()}`, 400)).body.errors[0].field, 'include');
});
