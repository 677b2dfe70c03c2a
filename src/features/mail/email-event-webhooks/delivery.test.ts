import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import test from 'node:test';
import { createSentMessage, type SentMessageFacts } from '../../../../test/harness/email-messages.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { type Received, startReceiver } from '../../../../test/harness/receiver.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { type MessageEvent, recordMessageEvents } from '../email-tracking/index.ts';
import { eventDeliveryRetention } from './retention.ts';

const app = await startTestApp();
const { platform } = app.app;

const ALL: readonly MessageEvent['type'][] = [
  'delivery',
  'bounce',
  'complaint',
  'open',
  'click',
  'unsubscribe',
];

/** Creates a tenant with one event webhook and its receiver. */
async function connect(webhook: object = {}) {
  const owner = await app.createTenant();
  const receiver = await startReceiver();
  const put = (more: object | null) =>
    owner.api.put('/api/email_settings', {
      sender_identities: [],
      whitelist_recipient_rules: [],
      subscription_types: [],
      subscriber_additional_fields: {},
      event_webhooks:
        more === null
          ? []
          : [
              {
                name: 'Events',
                target: `${receiver.url}/events`,
                events: ALL,
                active: true,
                ...webhook,
                ...more,
              },
            ],
    });
  await put({});
  const send = (facts: SentMessageFacts = {}) => createSentMessage(app, owner, facts);
  const read = async () => (await owner.api.get('/api/email_settings')).body.event_webhooks[0];
  return { tenant: owner, receiver, send, put, read };
}

function record(
  { tenantId, messageId }: { tenantId: string; messageId: string },
  type: MessageEvent['type'],
  more: Partial<MessageEvent> = {},
) {
  return recordMessageEvents(platform, [{ tenantId, messageId, type, occurredAt: new Date(), ...more }]);
}

const arrived = (received: readonly Received[], count: number) =>
  eventually(`${count} deliveries`, () => received.length >= count && received);

const countRows = async (tenantId: string) => {
  const everyTenant = platform.database.everyTenant('tests').query;
  const rows = await everyTenant
    .selectFrom('email_event_deliveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute();
  return rows.length;
};

test('an event is delivered with its message, data and cause', async () => {
  const { receiver, send, read } = await connect();
  const message = await send({
    address: 'Ada.Lovelace@Example.com',
    campaignId: 'SPRING',
    tags: ['a', 'b'],
    transmissionMetadata: { city: 'Sydney', plan: 'x' },
    metadata: { city: 'London' },
  });
  const occurredAt = new Date(Date.UTC(2030, 0, 2, 3, 4, 5, 678));
  const visit = { url: 'https://x.test/?a&b', ipAddress: '192.0.2.1', userAgent: 'Firefox' };
  await record(message, 'click', { occurredAt, ...visit });
  const [sent] = await arrived(receiver.received, 1);
  assert.deepEqual(sent?.body, {
    event: 'click',
    event_id: sent?.body.event_id,
    timestamp: '2030-01-02T03:04:05.678Z',
    recipient: 'Ada.Lovelace@Example.com',
    campaign_id: 'SPRING',
    email_id: message.messageId,
    message_id: message.messageId,
    transmission_id: message.transmissionId,
    tags: ['a', 'b'],
    metadata: { city: 'London', plan: 'x', ip: '192.0.2.1', user_agent: 'Firefox' },
    url: 'https://x.test/?a&b',
  });
  assert.match(sent?.body.event_id, /^[\da-f]{8}-[\da-f]{4}-7/);
  assert.deepEqual(
    [sent?.method, sent?.path, sent?.headers['content-type'], sent?.headers['tessera-attempt']],
    ['POST', '/events', 'application/json', '1'],
  );
  assert.equal(sent?.headers['webhook-signature'], undefined);
  const { last_successful, last_failure } = await eventually('the note', async () => {
    const webhook = await read();
    return webhook.last_successful !== null && webhook;
  });
  assert.ok(Math.abs(Date.parse(last_successful) - Date.now()) < 60_000);
  assert.equal(last_failure, null);
});

test('every kind of event is delivered once, and only to webhooks that subscribe to it', async () => {
  const { receiver, send, tenant } = await connect({ events: ['bounce', 'open'] });
  const everything = await connect();
  for (const [mail, receiverOfMail, expected] of [
    [await send(), receiver, ['bounce', 'open']],
    [await everything.send(), everything.receiver, [...ALL].sort()],
  ] as const) {
    for (const type of ALL) await record(mail, type, { bounceClass: 'hard', detail: '5.1.1 no' });
    await record(mail, 'bounce', { bounceClass: 'hard' });
    await arrived(receiverOfMail.received, expected.length);
    assert.deepEqual(receiverOfMail.received.map(({ body }) => body.event).sort(), expected);
  }
  const bounce = receiver.received.find(({ body }) => body.event === 'bounce')?.body;
  assert.deepEqual([bounce.bounce_class, bounce.reason], ['hard', '5.1.1 no']);
  assert.equal(await countRows(tenant.tenantId), 2);
});

test('large and small metadata are delivered completely', async () => {
  const { receiver, send } = await connect();
  const large = { own: 'x'.repeat(10_000), transmission: 'y'.repeat(10_000) };
  for (const { own, transmission } of [large, { own: 'x', transmission: 'y' }]) {
    const message = await send({ tags: ['a'], transmissionMetadata: { transmission }, metadata: { own } });
    await record(message, 'open');
    await arrived(receiver.received, own === 'x' ? 2 : 1);
    const delivered = receiver.received.find(({ body }) => body.email_id === message.messageId)?.body;
    const { ip, user_agent, ...metadata } = delivered.metadata;
    assert.deepEqual([delivered.tags, metadata, ip, user_agent], [['a'], { own, transmission }, null, null]);
  }
});

test('an automated open is marked as such', async () => {
  const { receiver, send } = await connect();
  await record(await send(), 'open', { machineReason: 'apple_mail_privacy' });
  assert.equal((await arrived(receiver.received, 1))[0]?.body.machine_reason, 'apple_mail_privacy');
});

for (const [kind, secret, key] of [
  [
    'a secret of the standard form',
    `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`,
    '0123456789abcdef',
  ],
  ['any other secret', 's3cret', 's3cret'],
] as const) {
  test(`deliveries are signed with ${kind} according to Standard Webhooks`, async () => {
    const { receiver, send } = await connect({ secret });
    await record(await send(), 'open');
    const [sent] = await arrived(receiver.received, 1);
    const [id, timestamp] = [sent?.headers['webhook-id'], sent?.headers['webhook-timestamp']];
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${sent?.text}`).digest('base64');
    assert.equal(sent?.headers['webhook-signature'], `v1,${expected}`);
    assert.equal(id, sent?.body.event_id);
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60);
  });
}

test('a failed delivery is retried with the same ids until it is accepted, and both times are stored', async () => {
  const { receiver, send, read } = await connect({ secret: 's' });
  const statuses = [500, 302, 200];
  receiver.answer = (_request, response) => response.writeHead(statuses.shift() ?? 200).end();
  await record(await send(), 'open');
  await arrived(receiver.received, 3);
  for (const name of ['tessera-delivery-id', 'webhook-id'])
    assert.equal(new Set(receiver.received.map(({ headers }) => headers[name])).size, 1);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['tessera-attempt']),
    ['1', '2', '3'],
  );
  const webhook = await eventually('the notes', async () => {
    const now = await read();
    return now.last_successful !== null && now.last_failure !== null && now;
  });
  assert.ok(webhook.last_failure < webhook.last_successful);
});

test('an attempt with an internal error does not count among the five attempts', async () => {
  const { tenant, receiver, send } = await connect();
  receiver.answer = (request, response) => {
    const isFirst = request.headers['tessera-attempt'] === '1';
    response.writeHead(503, isFirst ? { 'retry-after': '3600' } : {}).end();
  };
  await record(await send(), 'open');
  const waiting = platform.database
    .everyTenant('tests')
    .query.updateTable('email_event_deliveries')
    .set({ attempts: 4, faults: 3, due_at: new Date() })
    .where('tenant_id', '=', tenant.tenantId)
    .where('attempts', '=', 1);
  await eventually('a wait', async () => (await waiting.executeTakeFirst()).numUpdatedRows > 0n);
  await arrived(receiver.received, 5);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['tessera-attempt']),
    ['1', '2', '3', '4', '5'],
  );
});

test('a delivery fails after five attempts, or at a 410', async () => {
  for (const [status, attempts] of [
    [500, 5],
    [410, 1],
  ] as const) {
    const { receiver, send, tenant, read } = await connect();
    receiver.answer = (_request, response) => response.writeHead(status).end();
    await record(await send(), 'open');
    const everyTenant = platform.database.everyTenant('tests').query;
    const ended = await eventually('the end', () =>
      everyTenant
        .selectFrom('email_event_deliveries')
        .selectAll()
        .where('tenant_id', '=', tenant.tenantId)
        .where('state', '=', 'failed')
        .executeTakeFirst(),
    );
    assert.deepEqual(
      [ended.attempts, ended.last_status_code, receiver.received.length],
      [attempts, status, attempts],
    );
    assert.notEqual((await read()).last_failure, null);
  }
});

for (const [how, change] of [
  ['switched off', { active: false }],
  ['removed', null],
] as const) {
  test(`deliveries for a webhook that is ${how} are dropped`, async () => {
    const { receiver, send, tenant, put, read } = await connect();
    receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
    await record(await send(), 'open');
    await eventually('the failure', async () => (await read()).last_failure !== null);
    await put(change);
    await platform.database
      .everyTenant('tests')
      .query.updateTable('email_event_deliveries')
      .set({ due_at: new Date() })
      .where('tenant_id', '=', tenant.tenantId)
      .execute();
    await eventually('the drop', async () => (await countRows(tenant.tenantId)) === 0);
    await record(await send(), 'open');
    assert.equal(await countRows(tenant.tenantId), 0);
    assert.equal(receiver.received.length, 1);
  });
}

test('ended deliveries are deleted after a week, waiting ones stay', async () => {
  const { tenantId } = await app.createTenant();
  const day = 86_400_000;
  const insert = async (daysAgo: number, state: 'pending' | 'success' | 'failed') => {
    const at = new Date(Date.now() - daysAgo * day);
    const id = `${at.getTime().toString(16).padStart(12, '0')}7abc8def0123456789ab`;
    await platform.database
      .everyTenant('tests')
      .query.insertInto('email_event_deliveries')
      .values({
        ...{ tenant_id: tenantId, id, target_id: randomUUID(), event_id: randomUUID(), state, attempts: 1 },
        ...{ due_at: new Date(Date.now() + day), last_status_code: null, last_error: null, created_at: at },
      })
      .execute();
  };
  await insert(8, 'success');
  await insert(9, 'failed');
  await insert(10, 'pending');
  await insert(6, 'success');
  await eventDeliveryRetention.removeOld({ ...platform, config: { ...platform.config, jobBatchSize: 1 } });
  assert.equal(await countRows(tenantId), 2);
});

test('a secret that cannot be opened is a failed attempt, and nothing is sent unsigned', async () => {
  const { tenant, receiver, send } = await connect({ secret: 'a secret of its own' });
  const everyTenant = platform.database.everyTenant('tests').query;
  // Simulates a changed SECRET_KEY.
  await everyTenant
    .updateTable('email_event_webhooks')
    .set({ secret: platform.secrets.seal('a secret of its own', randomUUID()) })
    .where('tenant_id', '=', tenant.tenantId)
    .execute();
  await record(await send(), 'open');
  const { last_error } = await eventually('the attempt', () =>
    everyTenant
      .selectFrom('email_event_deliveries')
      .select('last_error')
      .where('tenant_id', '=', tenant.tenantId)
      .where('attempts', '>', 0)
      .executeTakeFirst(),
  );
  assert.match(last_error ?? '', /SECRET_KEY has changed/);
  assert.deepEqual(receiver.received, []);
});
