import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import {
  createSentMessage,
  readMessageRow,
  type SentMessage,
} from '../../../../test/harness/email-messages.ts';
import { waitForLock } from '../../../../test/harness/lock-waits.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { listMessageEvents, type MessageEvent, recordMessageEvents } from './message-events.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { platform } = app.app;
const tenant = await app.createTenant();

const HOUR_MS = 3_600_000;
const create = (facts = {}) => createSentMessage(app, tenant, facts);
const row = (message: SentMessage) => readMessageRow(platform, message);
const record = (...events: MessageEvent[]) => recordMessageEvents(platform, events);

function event(
  { tenantId, messageId }: SentMessage,
  type: MessageEvent['type'],
  more: Partial<MessageEvent> = {},
): MessageEvent {
  return { tenantId, messageId, type, occurredAt: new Date(), ...more };
}

const hard = { bounceClass: 'hard', detail: '550 5.1.1 unknown' } as const;
const soft = { bounceClass: 'soft', detail: '452 4.2.2 full' } as const;

async function suppressionOf({ address }: Pick<SentMessage, 'address'>) {
  const path = `/api/email_settings/suppressions/list/${encodeURIComponent(address)}`;
  const answer = await tenant.api.send('GET', path);
  return answer.status === 200 ? answer.body : null;
}

async function eventsOf({ tenantId, messageId }: SentMessage) {
  return listMessageEvents(platform.scoped(wholeTenant(tenantId)), [messageId]);
}

test('the first human open and click are stored', async () => {
  const message = await create();
  const at = (hours: number) => ({ occurredAt: new Date(Date.UTC(2030, 0, 1, hours)) });
  await record(event(message, 'open', { ...at(1), machineReason: 'apple_mail_privacy' }));
  assert.equal((await row(message)).opened_at, null);
  await record(event(message, 'open', at(3)), event(message, 'open', at(2)), event(message, 'open', at(4)));
  await record(event(message, 'click', { ...at(6), url: 'https://x.test/' }));
  await record(event(message, 'click', { ...at(7), url: 'https://x.test/' }), event(message, 'open', at(8)));
  const { opened_at, clicked_at } = await row(message);
  assert.deepEqual([new Date(opened_at).getUTCHours(), new Date(clicked_at).getUTCHours()], [2, 6]);
  const events = await eventsOf(message);
  assert.deepEqual(
    events.map(({ type, machine_reason }) => [type, machine_reason]),
    [
      ['open', 'apple_mail_privacy'],
      ...Array(3).fill(['open', null]),
      ...Array(2).fill(['click', null]),
      ['open', null],
    ],
  );
});

test('at most a thousand events of each message are listed', async () => {
  const [often, once] = [await create(), await create()];
  const start = Date.UTC(2030, 0, 1);
  const opens = Array.from({ length: 1005 }, (_, n) =>
    event(often, 'open', { occurredAt: new Date(start + n) }),
  );
  await record(...opens.reverse(), event(once, 'open', { occurredAt: new Date(start + 2000) }));
  const listed = await listMessageEvents(platform.scoped(wholeTenant(tenant.tenantId)), [
    often.messageId,
    once.messageId,
  ]);
  assert.deepEqual(
    listed.map((each) => [each.message_id, new Date(each.occurred_at).getTime() - start]),
    [...Array.from({ length: 1000 }, (_, n) => [often.messageId, n]), [once.messageId, 2000]],
  );
});

test('a message with too many events records no further opens, but still its bounce', async () => {
  const message = await create();
  const opens = (count: number) => Array.from({ length: count }, () => event(message, 'open'));
  await record(...opens(5000));
  await record(...opens(10), event(message, 'bounce', hard));
  const { rows } = await platform.database.everyTenant('tests').raw(sql<{ type: string; count: number }>`
    select type, count(*)::int as count from email_message_events where message_id = ${message.messageId}
    group by type order by type`);
  assert.deepEqual(rows, [
    { type: 'bounce', count: 1 },
    { type: 'open', count: 5000 },
  ]);
});

test('a hard bounce suppresses the address immediately, in any spelling, and marks the message', async () => {
  const message = await create({ address: `  Ada.${randomUUID()}@Example.COM ` });
  await record(event(message, 'bounce', hard));
  const { status, bounce_class, bounce_reason, bounced_at } = await row(message);
  assert.deepEqual([status, bounce_class, bounce_reason], ['bounced', 'hard', '550 5.1.1 unknown']);
  assert.notEqual(bounced_at, null);
  const suppression = await suppressionOf(message);
  assert.equal(suppression.type, 'bounce');
  assert.match(suppression.description, /550 5\.1\.1 unknown/);
  assert.equal(suppression.recipient, message.address.trim().toLowerCase());
});

test('a complaint suppresses immediately and is not an unsubscribe', async () => {
  const message = await create();
  await record(event(message, 'complaint'));
  assert.equal((await suppressionOf(message)).type, 'complaint');
  const { complained_at, unsubscribed_at, status } = await row(message);
  assert.deepEqual([complained_at === null, unsubscribed_at, status], [false, null, 'sent']);
  assert.deepEqual(
    (await eventsOf(message)).map(({ type }) => type),
    ['complaint'],
  );
});

test('an unsubscribe suppresses as such', async () => {
  const message = await create();
  await record(event(message, 'unsubscribe', { detail: 'By the link.' }));
  const suppression = await suppressionOf(message);
  assert.deepEqual([suppression.type, suppression.description], ['unsubscribe', 'By the link.']);
  assert.notEqual((await row(message)).unsubscribed_at, null);
});

test('one or two soft bounces do not suppress, a third within 30 days does', async () => {
  const address = `soft.${randomUUID()}@example.com`;
  const [first, second] = [await create({ address }), await create({ address })];
  const third = await create({ address: ` ${address.toUpperCase()}` });
  await record(event(first, 'bounce', soft), event(first, 'bounce', soft), event(first, 'bounce', soft));
  await record(event(first, 'bounce', soft));
  assert.equal(await suppressionOf(first), null);
  await record(event(second, 'bounce', soft));
  assert.equal(await suppressionOf(first), null);
  await record(event(third, 'bounce', soft));
  assert.equal((await suppressionOf(first)).description, 'Three soft bounces within 30 days.');
});

test('three soft bounces in one batch suppress, three over more than 30 days do not', async () => {
  const [quick, slow] = [`q.${randomUUID()}@example.com`, `s.${randomUUID()}@example.com`];
  const of = (address: string) => Promise.all([1, 2, 3].map(() => create({ address })));
  const [atOnce, spread] = [await of(quick), await of(slow)];
  await record(...atOnce.map((message) => event(message, 'bounce', soft)));
  assert.equal((await suppressionOf({ address: quick })).type, 'bounce');
  for (const [index, message] of spread.entries()) {
    const occurredAt = new Date(Date.now() - (2 - index) * 16 * 24 * HOUR_MS);
    await record(event(message, 'bounce', { ...soft, occurredAt }));
  }
  assert.equal(await suppressionOf({ address: slow }), null);
});

test('a message bounces, complains and unsubscribes once, however often this is reported', async () => {
  const message = await create();
  for (let n = 0; n < 2; n += 1) {
    await record(event(message, 'bounce', soft), event(message, 'complaint'), event(message, 'unsubscribe'));
    await record(event(message, 'bounce', soft), event(message, 'complaint'), event(message, 'unsubscribe'));
  }
  assert.deepEqual((await eventsOf(message)).map(({ type }) => type).sort(), [
    'bounce',
    'complaint',
    'unsubscribe',
  ]);
});

test('a hard bounce after a soft one of the same message counts', async () => {
  const message = await create();
  await record(event(message, 'bounce', soft));
  await record(event(message, 'bounce', hard));
  assert.equal((await row(message)).bounce_class, 'hard');
  assert.equal((await suppressionOf(message)).type, 'bounce');
  await record(event(message, 'bounce', soft));
  assert.deepEqual([(await row(message)).bounce_class, (await eventsOf(message)).length], ['hard', 2]);
});

test('an unsubscribed recipient who bounces is suppressed for all mail, never the other way round', async () => {
  const message = await create();
  await record(event(message, 'unsubscribe'));
  await record(event(message, 'bounce', hard));
  assert.equal((await suppressionOf(message)).type, 'bounce');
  const other = await create();
  await record(event(other, 'complaint'), event(other, 'unsubscribe'), event(other, 'bounce', hard));
  assert.equal((await suppressionOf(other)).type, 'complaint');
  await record(event(other, 'unsubscribe'));
  assert.equal((await suppressionOf(other)).type, 'complaint');
});

test('an address whose suppression was lifted is suppressed again by another unsubscribe', async () => {
  const message = await create();
  await record(event(message, 'unsubscribe'));
  await tenant.api.delete(`/api/email_settings/suppressions/${encodeURIComponent(message.address)}`);
  await record(event(message, 'unsubscribe'));
  assert.equal((await suppressionOf(message)).type, 'unsubscribe');
  assert.equal((await eventsOf(message)).length, 1);
});

test("events of missing messages, and of another tenant's, change nothing", async () => {
  const message = await create();
  const stranger = await app.createTenant();
  await record(
    event({ ...message, messageId: randomUUID() }, 'complaint'),
    event({ ...message, tenantId: stranger.tenantId }, 'complaint'),
    event(message, 'open'),
  );
  assert.equal(await suppressionOf(message), null);
  assert.deepEqual(
    (await eventsOf(message)).map(({ type }) => type),
    ['open'],
  );
});

test('text that the database cannot store is converted', async () => {
  const message = await create();
  await record(
    event(message, 'bounce', { ...hard, detail: `\0\ud800${'x'.repeat(5000)}`, userAgent: '\udfff' }),
  );
  assert.equal((await row(message)).bounce_reason.length, 1000);
});

test('many links within a moment are a machine, also in two batches', async () => {
  const message = await create();
  const start = Date.now();
  const click = (n: number) =>
    event(message, 'click', { url: `https://x.test/${n}`, occurredAt: new Date(start + n * 10) });
  await record(click(1), click(2));
  assert.notEqual((await row(message)).clicked_at, null);
  await record(click(3), click(4), click(5));
  assert.equal((await row(message)).clicked_at, null);
  assert.deepEqual(
    [...new Set((await eventsOf(message)).map((e) => e.machine_reason))],
    ['many_links_at_once'],
  );
  const later = new Date(start + HOUR_MS);
  await record(event(message, 'click', { url: 'https://x.test/1', occurredAt: later }));
  assert.deepEqual(new Date((await row(message)).clicked_at), later);
});

test('messages are locked in the order of their keys, also those whose earlier clicks are flagged', {
  skip: platform.database.kind === 'embedded' && 'two transactions at once need TEST_DATABASE_URL',
}, async () => {
  const [first, last] = [await create(), await create()];
  const start = Date.now();
  const click = (n: number) =>
    event(last, 'click', { url: `https://x.test/${n}`, occurredAt: new Date(start + n * 10) });
  await record(click(1), click(2), click(3));
  const lock = ({ tenantId, messageId }: SentMessage, how = sql`for update`) =>
    sql`select from email_messages where tenant_id = ${tenantId} and id = ${messageId} ${how}`;
  const { recording } = await platform.database
    .forTenant(tenant.tenantId)
    .transaction()
    .execute(async (query) => {
      await lock(first).execute(query);
      const started = record(event(first, 'open'), click(4));
      await waitForLock('the recording to wait for the first message', platform.database);
      // This fails if the recording has locked the last one already.
      await lock(last, sql`for update nowait`).execute(query);
      return { recording: started };
    });
  await recording;
  assert.equal((await row(last)).clicked_at, null);
});

test('a thousand events of many messages are recorded in one statement', async () => {
  const messages = await Promise.all(Array.from({ length: 10 }, () => create()));
  await record(
    ...Array.from({ length: 100 }).flatMap(() => messages.map((message) => event(message, 'open'))),
  );
  for (const message of messages) assert.equal((await eventsOf(message)).length, 100);
});

test('a delivery is recorded as an event only if a webhook subscribes to it', async () => {
  const message = await create();
  await record(event(message, 'delivery'));
  assert.deepEqual(await eventsOf(message), []);
});
