import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import {
  createSentMessage,
  readMessageRow,
  type SentMessage,
  type SentMessageFacts,
} from '../../../../../test/harness/email-messages.ts';
import { createTenant, startTestApp } from '../../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import { countSendings } from '../sending-statistics.ts';
import { acknowledgeMessages, type MessageResult } from './queries.ts';

export const runsOn = ['embedded', 'server'];

// Nothing is sent here; only the tests claim the rows.
const app = await startTestApp({ ROLE: 'api' });
const { platform } = app.app;
const tenant = await createTenant(app.url, app.admin);

const CLAIM = '019a0000-0000-7000-8000-000000000001';
const OTHER_CLAIM = '019a0000-0000-7000-8000-000000000002';
const LEASE_END = '2126-01-02T03:04:05.678Z';
const renderedAt = new Date('2026-01-02T03:04:06.000Z');
const sentAt = new Date('2026-01-02T03:04:07.000Z');

/** Creates a message with the claim `CLAIM`. */
async function claimedMessage(status = 'queued', facts: SentMessageFacts = {}): Promise<SentMessage> {
  const message = await createSentMessage(app, tenant, facts);
  await sql`update email_messages set state = 'pending', due_at = ${LEASE_END}, claim_id = ${CLAIM}, attempts = 2, last_error = 'later',
    status = ${status}, sent_at = null where id = ${message.messageId}`.execute(
    platform.database.everyTenant('tests').query,
  );
  return message;
}

type Written = Exclude<Outcome<MessageResult>, { kind: 'abandoned' | 'returned' }>;

const SENT: Written = {
  kind: 'success',
  result: {
    status: 'sent',
    rendered_at: renderedAt,
    sent_at: sentAt,
    relay_answer: '250 ok',
    ended_at: sentAt,
  },
};

function acknowledge(messages: readonly SentMessage[], attempt: Attempt = {}) {
  return acknowledgeAll(messages.map((message) => ({ message, ...attempt })));
}

interface Attempt {
  readonly claimId?: string;
  readonly outcome?: Written;
}

function acknowledgeAll(attempts: readonly (Attempt & { readonly message: SentMessage })[]) {
  const acks = attempts.map(({ message, claimId = CLAIM, outcome = SENT }) => {
    const { tenantId, messageId: id } = message;
    const claim = { tenantId, id, targetId: id, attempts: 2, faults: 0, row: {}, claimId, claimedAt: 0 };
    return { claim, outcome, at: sentAt };
  });
  // Like the work queue, with one statement per tenant on a cluster.
  return platform.database.everyTenant('tests').byTenant(
    acks,
    ({ claim }) => claim.tenantId,
    (db, own) => acknowledgeMessages(db, own, new Date()),
  );
}

test('a message that the relay accepted is acknowledged and recorded together', async () => {
  const messages = await Promise.all([claimedMessage(), claimedMessage(), claimedMessage()]);
  await acknowledge(messages);
  for (const message of messages) {
    const { state, status, attempts, last_error, relay_answer, due_at, sent_at, rendered_at, ended_at } =
      await readMessageRow(platform, message);
    assert.deepEqual(
      { state, status, attempts, last_error, relay_answer },
      { state: 'success', status: 'sent', attempts: 3, last_error: null, relay_answer: '250 ok' },
    );
    assert.deepEqual(
      [due_at, sent_at, rendered_at, ended_at].map((time) => new Date(time)),
      [sentAt, sentAt, renderedAt, sentAt],
    );
  }
});

test('a message that another worker has claimed is acknowledged, too, so that no other worker sends it again', async () => {
  const message = await claimedMessage();
  await acknowledge([message], { claimId: OTHER_CLAIM });
  const { state, status, attempts, due_at, sent_at } = await readMessageRow(platform, message);
  assert.deepEqual({ state, status, attempts }, { state: 'success', status: 'sent', attempts: 3 });
  assert.deepEqual(
    [due_at, sent_at].map((time) => new Date(time)),
    [sentAt, sentAt],
  );
});

test('the result of a later attempt changes nothing once the message is sent', async () => {
  const message = await claimedMessage();
  await acknowledge([message], { claimId: OTHER_CLAIM });
  const sent = await readMessageRow(platform, message);
  const later = { status: 'queued', rendered_at: new Date() } as const;
  const outcome = { kind: 'retry', error: 'later', isFault: true, dueAt: new Date(), result: later } as const;
  await acknowledge([message], { outcome });
  assert.deepEqual(await readMessageRow(platform, message), sent);
});

test('of two attempts that end together the accepted one counts', async () => {
  const message = await claimedMessage();
  const outcome = { kind: 'retry', error: 'later', isFault: true, dueAt: new Date() } as const;
  const failed = { message, outcome: { ...outcome, result: { status: 'queued' } } } as const;
  await acknowledgeAll([failed, { message, claimId: OTHER_CLAIM }, failed]);
  const { state, status } = await readMessageRow(platform, message);
  assert.deepEqual({ state, status }, { state: 'success', status: 'sent' });
});

test('a message that bounced before its hand-over is recorded stays bounced', async () => {
  const message = await claimedMessage('bounced');
  await acknowledge([message]);
  const { state, status } = await readMessageRow(platform, message);
  assert.deepEqual({ state, status }, { state: 'success', status: 'bounced' });
});

test('a message to a subscriber is counted once, however often and however late it is acknowledged', async () => {
  const message = await claimedMessage('queued', { campaignId: 'spring' });
  const db = platform.scoped(wholeTenant(message.tenantId));
  await db.query
    .updateTable('email_messages')
    .set({ subscriber_id: randomUUID() })
    .where('id', '=', message.messageId)
    .execute();
  const counts = async () => (await countSendings(db, [message.transmissionId])).get(message.transmissionId);
  const later = { kind: 'retry', error: 'later', isFault: true, dueAt: new Date(LEASE_END) } as const;
  await acknowledge([message], { outcome: { ...later, result: { status: 'queued' } } });
  assert.equal(await counts(), undefined);
  await acknowledge([message], { claimId: OTHER_CLAIM });
  await acknowledge([message]);
  assert.equal((await counts())?.delivered, 1);
});
