import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import {
  createMailTenant,
  mailsTo,
  makeMessageDue,
  readRecipientHistory,
  sendAndWait,
  stepsOf,
  transmissionBody,
  waitUntilEnded,
} from '../../../../../test/harness/mail.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const { api } = tenant;

const historyOf = (id: string, address: string) => readRecipientHistory(api, id, address);

/** Returns a unique address. */
let addressCount = 0;
function newAddress(): string {
  addressCount += 1;
  return `person${addressCount}@example.com`;
}

test('a permanent refusal is a bounce, and the address is suppressed', async () => {
  const address = newAddress();
  relay.onRecipient = (to) => (to === address ? { code: 550, text: '5.1.1 No such user' } : null);
  const { id, state, counts } = await sendAndWait(tenant, { recipients: [{ address }] });
  assert.equal(state, 'completed');
  assert.deepEqual([counts.sent, counts.bounced, counts.delivered, counts.failed], [1, 1, 0, 0]);
  const history = await historyOf(id, address);
  assert.equal(history.status, 'bounced');
  assert.match(history.error ?? '', /5\.1\.1 No such user/);
  assert.equal(stepsOf(history), 'accepted rendered bounced');
  relay.onRecipient = () => null;
  const again = await sendAndWait(tenant, { recipients: [{ address }] });
  assert.equal(again.counts.suppressed, 1);
  const second = await historyOf(again.id, address);
  assert.deepEqual(
    [second.status, second.error, stepsOf(second)],
    ['suppressed', 'bounce', 'accepted suppressed'],
  );
  const options = { transactional: true, skip_suppression: true };
  assert.equal((await sendAndWait(tenant, { recipients: [{ address }], options })).counts.sent, 1);
});

test('a temporary refusal is retried after five minutes, doubling, and is a bounce after eight attempts', async () => {
  const address = newAddress();
  relay.onRecipient = (to) => (to === address ? { code: 451, text: '4.2.0 Come back later' } : null);
  const { body } = await api.post(
    '/api/transmissions',
    transmissionBody(tenant, { recipients: [{ address }] }),
  );
  const id = body.transactionId;
  const waits: number[] = [];
  for (let tried = 1; tried <= 7; tried += 1) {
    const history = await eventually(`try ${tried}`, async () => {
      const now = await historyOf(id, address);
      return now.attempts === tried ? now : null;
    });
    assert.equal(history.status, 'sending');
    assert.match(history.error ?? '', /4\.2\.0 Come back later/);
    assert.equal(stepsOf(history), 'accepted rendered deferred');
    waits.push(Math.round((Date.parse(history.next_attempt_at ?? '') - Date.now()) / 60_000));
    await makeMessageDue(app.app.platform, history.message_id);
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320]);
  const ended = await eventually('the end', async () => {
    const now = await historyOf(id, address);
    return now.status === 'bounced' ? now : null;
  });
  assert.equal(ended.attempts, 8);
  assert.equal((await api.get(`/api/transmissions/${id}`)).body.state, 'completed');
  await api.get(`/api/email_settings/suppressions/list/${address}`, 404);
  relay.onRecipient = () => null;
});

test('an attempt with an internal error is reported and repeated, and the eighth fails the message', async () => {
  const address = newAddress();
  const { mail } = app.app.platform;
  const { send } = mail;
  const breaks: typeof send = async () => {
    throw new Error('a fault of ours');
  };
  Object.assign(mail, { send: breaks });
  const recipients = [{ address }];
  const { body } = await api.post('/api/transmissions', transmissionBody(tenant, { recipients }));
  for (let tried = 1; tried <= 7; tried += 1) {
    const history = await eventually(`try ${tried}`, async () => {
      const now = await historyOf(body.transactionId, address);
      return now.attempts === tried ? now : null;
    });
    assert.equal(history.status, 'sending');
    assert.match(history.error ?? '', /a fault of ours/);
    await makeMessageDue(app.app.platform, history.message_id);
  }
  const { counts } = await waitUntilEnded(tenant, body.transactionId);
  Object.assign(mail, { send });
  assert.deepEqual([counts.failed, counts.sent], [1, 0]);
  const ended = await historyOf(body.transactionId, address);
  assert.deepEqual([ended.status, ended.attempts], ['failed', 8]);
  assert.match(ended.error ?? '', /a fault of ours/);
});

test('an attempt that throws after seven attempts during an outage is the first that counts', async () => {
  const address = newAddress();
  const { platform } = app.app;
  const { mail } = platform;
  const { send } = mail;
  let sends = 0;
  const breaks: typeof send = async () => {
    sends += 1;
    if (sends === 1) return { kind: 'unavailable', error: 'gone', hasBodyStarted: false };
    throw new Error('a fault of ours');
  };
  Object.assign(mail, { send: breaks });
  const { id, history } = await tryOnce(address);
  await sql`update email_messages set attempts = 7 where id = ${history.message_id}`.execute(
    platform.database.everyTenant('tests').query,
  );
  await makeMessageDue(platform, history.message_id);
  const broken = await eventually('the broken attempt', async () => {
    const now = await historyOf(id, address);
    return now.attempts === 8 ? now : null;
  });
  Object.assign(mail, { send });
  assert.equal(broken.status, 'sending');
  assert.match(broken.error ?? '', /a fault of ours/);
  await makeMessageDue(platform, history.message_id);
  await waitUntilEnded(tenant, id);
  assert.equal((await mailsTo(relay, address)).length, 1);
});

/** Sends a message to a relay that disconnects; returns its first attempt and the wait before the second in ms. */
async function tryOnce(address: string) {
  const recipients = [{ address }];
  const { body } = await api.post('/api/transmissions', transmissionBody(tenant, { recipients }));
  const history = await eventually('the first try', async () => {
    const now = await historyOf(body.transactionId, address);
    return now.attempts === 1 ? now : null;
  });
  assert.equal(history.status, 'sending');
  return { id: body.transactionId, history, wait: Date.parse(history.next_attempt_at ?? '') - Date.now() };
}

test('a relay that disconnects before the message is sent is tried again soon', async () => {
  const address = newAddress();
  relay.onRecipient = (_to, session) => {
    relay.cut(session);
    return null;
  };
  const { id, history, wait } = await tryOnce(address);
  relay.onRecipient = () => null;
  assert.match(history.error ?? '', /relay could not be reached/);
  assert.ok(wait <= 30_000, `in ${wait} ms`);
  await makeMessageDue(app.app.platform, history.message_id);
  await waitUntilEnded(tenant, id);
  assert.equal((await mailsTo(relay, address)).length, 1);
});

test('a relay that disconnects during a message is not tried again soon, as it may have it', async () => {
  const address = newAddress();
  relay.onDataStart = (session) => relay.cut(session);
  const { id, history, wait } = await tryOnce(address);
  relay.onDataStart = () => {};
  assert.match(history.error ?? '', /did not confirm the message/);
  assert.ok(wait > 60_000 && wait <= 300_000, `in ${wait} ms`);
  await makeMessageDue(app.app.platform, history.message_id);
  await waitUntilEnded(tenant, id);
  assert.equal((await mailsTo(relay, address)).length, 1);
});

test('when one recipient in ten is refused the others get their mail', async () => {
  const addresses = Array.from({ length: 100 }, newAddress);
  const refused = new Set(addresses.filter((_, index) => index % 10 === 0));
  relay.onRecipient = (to) => (refused.has(to) ? { code: 550, text: '5.1.1 unknown' } : null);
  const recipients = addresses.map((address) => ({ address }));
  const { counts } = await sendAndWait(tenant, { recipients });
  relay.onRecipient = () => null;
  assert.deepEqual([counts.delivered, counts.bounced, counts.queued], [90, 10, 0]);
});
