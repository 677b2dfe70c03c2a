/** Responses of every kind match the documents: records the tenant's own, webhooks that of the platform. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Compile } from 'typebox/schema';
import type { Answer } from '../../../../test/harness/client.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { buildOpenApi } from '../../../http/openapi.ts';
import { features } from '../../index.ts';

const app = await startTestApp();
const { owner } = await createRecordsTenant(app, SHOP);

/** JSON in which every member of an object is described. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, strict(each)]));
  const isClosed =
    members.type === 'object' && 'properties' in members && !('additionalProperties' in members);
  return isClosed ? { ...members, additionalProperties: false } : members;
}

const own = strict((await owner.get('/api/openapi.json')).body);
const platform = strict(JSON.parse(JSON.stringify(buildOpenApi(features))));

/** Fails unless a value matches the schema at a path of a document. */
function assertMatches(document: unknown, pointer: readonly string[], value: unknown): void {
  const place = pointer.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const [isRight, errors] = Compile({ ...Object(document), $ref: `#/${place}` }).Errors(value);
  assert.ok(isRight, `${place}: ${JSON.stringify(errors)} of ${JSON.stringify(value).slice(0, 500)}`);
}

/** Fails unless the document declares this response for the call. */
function assertAnswer(
  document: unknown,
  [method, path]: readonly [string, string],
  { status, body }: Answer,
): void {
  const responses = ['paths', path, method.toLowerCase(), 'responses'];
  const described = Object(at(document, responses));
  const code = Object.hasOwn(described, String(status)) ? String(status) : 'default';
  const reference: unknown = described[code]?.$ref;
  const place = typeof reference === 'string' ? reference.split('/').slice(1) : [...responses, code];
  assertMatches(document, [...place, 'content', 'application/json', 'schema'], body);
}

function at(document: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((inside, step) => Reflect.get(Object(inside), step), document);
}

const absent = '00000000-0000-7000-8000-000000000000';

test("records, lists, includes, writes and errors match the tenant's OpenAPI document", async () => {
  const call = async (method: string, path: string, operation: string, sent?: unknown) => {
    const answer = await owner.send(method, path, sent === undefined ? {} : { body: sent });
    assertAnswer(own, [method, operation], answer);
    return answer;
  };
  const one = '/api/order/{id}';
  const customer = (await call('POST', '/api/customer', '/api/customer', { name: 'Ada', email: 'a@x.y' }))
    .body;
  const full = {
    ...{ number: 'A-1', total: 1.5, count: 3, paid: true, due: '2026-01-31', sent_at: '2026-01-31T10:00' },
    ...{ details: { a: [1, null] }, token: absent, note: 'Hello', lane: 'fast', customer_id: customer.id },
  };
  const { id } = (await call('POST', '/api/order', '/api/order', full)).body;
  const empty = (await call('POST', '/api/order', '/api/order', { number: 'A-2' })).body;
  const product = (await call('POST', '/api/product', '/api/product', { title: 'Pen' })).body;
  const item = { quantity: 1, order_id: id, product_id: product.id };
  await call('POST', '/api/order_item', '/api/order_item', item);
  const include = 'include=customer.orders,items.product';
  for (const path of [`/api/order/${id}`, `/api/order/${empty.id}?${include}`, `/api/order/${id}?${include}`])
    await call('GET', path, one);
  await call('GET', `/api/order/${id}?fields=number`, one);
  for (const query of ['', `?${include}`, '?fields=number,total', '?total__gt=100', '?search=hel', '?page=9'])
    await call('GET', `/api/order${query}`, '/api/order');
  await call('PUT', `/api/order/${id}`, one, { total: null, count: 4 });
  await call('POST', `/api/order/${id}/workflow/take`, `${one}/workflow/take`, {});
  await call('POST', `/api/order/${id}/workflow/move`, `${one}/workflow/move`, { to: 'paid' });
  const bulk = '/api/order/bulk';
  const { ids } = (await call('POST', bulk, bulk, { records: [{ number: 'B-1' }, { number: 'B-2' }] })).body;
  await call('PUT', bulk, bulk, { filter: { number__in: 'B-1,B-2' }, update: { note: 'x' } });
  await call('DELETE', bulk, bulk, { ids });
  await call('DELETE', `/api/order/${empty.id}`, one);

  const refused = [
    await call('GET', '/api/order?x=1', '/api/order'),
    await call('POST', '/api/order', '/api/order', { number: 5 }),
    await call('POST', '/api/order', '/api/order', { number: 'A-1' }),
    await call('POST', bulk, bulk, { records: [{ number: 'A-1' }] }),
    await call('GET', `/api/order/${absent}`, one),
    await call('POST', `/api/order/${id}/workflow/move`, `${one}/workflow/move`, { to: 'open' }),
    await call('DELETE', `/api/customer/${customer.id}`, '/api/customer/{id}'),
    await call('DELETE', `/api/order/${id}`, one),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    [400, 400, 409, 400, 404, 422, 409, 409],
  );
  const stranger = owner.with({ authorization: 'Bearer x' });
  assertAnswer(own, ['GET', '/api/order'], await stranger.get('/api/order', 401));
});

test('webhooks and their payloads match the documents', async () => {
  const receiver = await startReceiver();
  const paths = ['/api/webhooks', '/api/webhooks/{id}'].map((path) =>
    Object.hasOwn(Reflect.get(Object(platform), 'paths'), `${path}/`) ? `${path}/` : path,
  );
  const [all = '', one = ''] = paths;
  const hook = { url: receiver.url, events: ['product.created', 'product.deleted'], secret: 'a secret' };
  const created = await owner.post('/api/webhooks', hook);
  assertAnswer(platform, ['POST', all], created);
  assert.ok(all.endsWith('/'), 'the surface of access tokens has a path of its own');
  assertAnswer(platform, ['GET', all], await owner.get('/api/webhooks'));
  assertAnswer(platform, ['GET', all], await owner.get(all));
  assertAnswer(platform, ['POST', all], await owner.post('/api/webhooks', { ...hook, events: ['x'] }, 400));
  const { id } = (await owner.post('/api/product', { title: 'Ink' })).body;
  await owner.delete(`/api/product/${id}`);
  await eventually('two deliveries', () => receiver.received.length === 2);
  for (const { body } of receiver.received)
    assertMatches(own, ['components', 'schemas', 'product'], body.data);
  assertAnswer(platform, ['DELETE', one], await owner.delete(`/api/webhooks/${created.body.id}`));
  assertAnswer(platform, ['DELETE', one], await owner.delete(`/api/webhooks/${created.body.id}`, 404));
});
