import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember, signIn } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { type Received, startReceiver } from '../../../../test/harness/receiver.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { storeChanges } from './service.ts';
import { subscribedEvents } from './subscribed-events.ts';

const app = await startTestApp();
const { platform } = app.app;

/** Creates a tenant with the entity `order`, its owner signed in, and a receiver. */
async function createSite() {
  const order = { name: 'order', fields: [{ name: 'total', type: 'number' }] };
  const { owner: bearer, ...tenant } = await createRecordsTenant(app, [order]);
  const receiver = await startReceiver();
  const body = { url: `${receiver.url}/orders`, events: ['order.created'], secret: 'a secret' };
  return { tenant, bearer, receiver, body };
}

/** Changes of orders. */
async function note(tenantId: string, kind: 'created' | 'updated' | 'deleted', ...totals: readonly number[]) {
  const records = totals.map((total) => ({ id: randomUUID(), json: JSON.stringify({ id: 'x', total }) }));
  const changes = { entity: 'order', kind, records };
  await platform
    .scoped(wholeTenant(tenantId))
    .transaction((db) => storeChanges({ db, platform, now: new Date() }, changes));
}

const arrived = (received: readonly Received[], count: number) =>
  eventually(`${count} deliveries`, () => received.length >= count && received);

test('a webhook is registered, listed without its secret, and deleted', async () => {
  const { bearer, body } = await createSite();
  const { body: webhook } = await bearer.post('/api/webhooks', body);
  assert.deepEqual(webhook, { id: webhook.id, url: body.url, events: body.events });
  assert.deepEqual((await bearer.get('/api/webhooks')).body, { data: [webhook] });
  const gone = await bearer.delete(`/api/webhooks/${webhook.id}`);
  assert.deepEqual(gone.body, { success: true, message: 'The webhook was deleted.' });
  assert.deepEqual((await bearer.get('/api/webhooks')).body, { data: [] });
  const again = await bearer.delete(`/api/webhooks/${webhook.id}`, 404);
  assert.equal(again.body.error, 'not_found');
});

test('a webhook needs an allowed URL, known events and a secret', async () => {
  const { bearer, body } = await createSite();
  for (const [change, field] of [
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: undefined }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['order.created', 'order.moved'] }, 'events[1]'],
    [{ events: ['invoice.created'] }, 'events[0]'],
    [{ events: ['constructor.created'] }, 'events[0]'],
    [{ secret: undefined }, 'secret'],
    [{ secret: '' }, 'secret'],
  ] as const) {
    const { body: refused } = await bearer.post('/api/webhooks', { ...body, ...change }, 400);
    assert.equal(refused.error, 'bad_request');
    assert.deepEqual([...new Set(refused.errors.map((each: { field: string }) => each.field))], [field]);
  }
});

test('members who do not own the tenant can neither register nor see webhooks', async () => {
  const { tenant, body } = await createSite();
  const member = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const { bearer } = await signIn(tenant.api, member.email);
  assert.equal((await bearer.post('/api/webhooks', body, 403)).body.error, 'forbidden');
  await bearer.get('/api/webhooks', 403);
});

test('a change is delivered as documented, and the signature covers the delivery', async () => {
  const { tenant, bearer, receiver, body } = await createSite();
  await bearer.post('/api/webhooks', body);
  await note(tenant.tenantId, 'created', 12.5);
  const [sent] = await arrived(receiver.received, 1);
  const { signature, ...payload } = JSON.parse(sent?.text ?? '');
  assert.deepEqual(payload, {
    event: 'order.created',
    entity: 'order',
    data: { id: 'x', total: 12.5 },
    timestamp: payload.timestamp,
  });
  assert.match(payload.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const expected = createHmac('sha256', body.secret).update(JSON.stringify(payload)).digest('hex');
  assert.equal(signature, `sha256=${expected}`);
  assert.equal(sent?.headers['x-signature'], signature);
  assert.equal(sent?.headers['tessera-attempt'], '1');
  assert.match(String(sent?.headers['tessera-delivery-id']), /^[\da-f-]{36}$/);
});

test('each record of a bulk call is delivered, only to subscribed webhooks', async () => {
  const { tenant, bearer, receiver, body } = await createSite();
  const other = await startReceiver();
  await bearer.post('/api/webhooks', { ...body, events: ['order.deleted', 'order.created'] });
  await bearer.post('/api/webhooks', { ...body, url: other.url, events: ['order.deleted'] });
  await note(tenant.tenantId, 'created', 1, 2, 3);
  await note(tenant.tenantId, 'updated', 4);
  await note(tenant.tenantId, 'deleted', 5);
  await arrived(receiver.received, 4);
  await arrived(other.received, 1);
  const events = (received: readonly Received[]) =>
    received.map(({ body: { event, data } }) => `${event} ${data.total}`).sort();
  const created = ['order.created 1', 'order.created 2', 'order.created 3'];
  assert.deepEqual(events(receiver.received), [...created, 'order.deleted 5']);
  assert.deepEqual(events(other.received), ['order.deleted 5']);
});

test('a failed delivery is retried, and one to a deleted webhook is dropped', async () => {
  const { tenant, bearer, receiver, body } = await createSite();
  const statuses = [500, 200];
  receiver.answer = (_request, response) => response.writeHead(statuses.shift() ?? 200).end();
  const { id } = (await bearer.post('/api/webhooks', body)).body;
  await note(tenant.tenantId, 'created', 1);
  const sent = await arrived(receiver.received, 2);
  assert.equal(sent[0]?.text, sent[1]?.text);
  receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await note(tenant.tenantId, 'created', 2);
  await arrived(receiver.received, 3);
  await bearer.delete(`/api/webhooks/${id}`);
  const all = platform.database.everyTenant('tests').query;
  const ofTenant = all
    .updateTable('entity_change_deliveries')
    .set({ due_at: new Date() })
    .where('tenant_id', '=', tenant.tenantId)
    .where('state', '=', 'pending');
  await eventually('the end', async () => (await ofTenant.executeTakeFirst()).numUpdatedRows === 0n);
  assert.equal(receiver.received.length, 3);
});

test('new subscriptions apply with the next revision', async () => {
  const { tenant, bearer, body } = await createSite();
  const revision = async () => {
    const db = platform.scoped(wholeTenant(tenant.tenantId));
    return (await db.query.selectFrom('entity_revisions').select('revision').executeTakeFirstOrThrow())
      .revision;
  };
  const subscriptions = async () => [
    ...(await subscribedEvents(platform, tenant.tenantId, await revision())),
  ];
  assert.deepEqual(await subscriptions(), []);
  const { id } = (await bearer.post('/api/webhooks', body)).body;
  assert.deepEqual(await subscriptions(), ['order.created']);
  await bearer.delete(`/api/webhooks/${id}`);
  assert.deepEqual(await subscriptions(), []);
});

test('one tenant can neither see nor delete the webhooks of another', async () => {
  const mine = await createSite();
  const { id } = (await mine.bearer.post('/api/webhooks', mine.body)).body;
  const { bearer } = await createSite();
  assert.deepEqual((await bearer.get('/api/webhooks')).body, { data: [] });
  await bearer.delete(`/api/webhooks/${id}`, 404);
  assert.equal((await mine.bearer.get('/api/webhooks')).body.data.length, 1);
});
