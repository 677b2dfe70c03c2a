import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { sql } from 'kysely';
import {
  createMailTenant,
  type MailTenant,
  mailsTo,
  sendAndWait,
  transmissionBody,
  waitUntilEnded,
} from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const CONNECTIONS = 4;
const bulk = { transactional: false };

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url, SMTP_CONNECTIONS: String(CONNECTIONS) });
const tenant = await createMailTenant(app);

afterEach(() => {
  Object.assign(relay, {
    onMailFrom: () => null,
    onRecipient: () => null,
    onMessage: () => null,
    onDataStart: () => {},
  });
});

/** Returns unique addresses. */
let addressCount = 0;
function newAddresses(count: number, domain = 'example.com'): string[] {
  return Array.from({ length: count }, () => {
    addressCount += 1;
    return `p${addressCount}@${domain}`;
  });
}

const toRecipients = (addresses: readonly string[]) => addresses.map((address) => ({ address }));

async function send(from: MailTenant, more: object): Promise<string> {
  return (await from.api.post('/api/transmissions', transmissionBody(from, more))).body.transactionId;
}

/** Returns the outcome of each recipient, in their order. */
async function resultsOf(from: MailTenant, id: string): Promise<{ recipient: string; status: string }[]> {
  return (await from.api.get(`/api/transmissions/${id}/recipients?limit=100`)).body.results;
}

/** Makes tried messages due, as if their waits were over. */
async function endWaits(): Promise<void> {
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  await sql`update email_messages set due_at = now() where state = 'pending' and attempts > 0`.execute(
    everyTenant,
  );
}

/** Waits until every message of a transmission has been tried or has ended. */
async function waitUntilTried(id: string): Promise<void> {
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  await eventually('every message to be tried', async () => {
    const { rows } = await sql<{ left: number }>`select count(*)::int as left from email_messages
      where transmission_id = ${id} and state = 'pending' and attempts = 0`.execute(everyTenant);
    return rows[0]?.left === 0;
  });
}

async function suppressedOf(from: MailTenant, addresses: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const address of addresses) {
    const { status } = await from.api.send('GET', `/api/email_settings/suppressions/list/${address}`);
    if (status === 200) found.push(address);
  }
  return found;
}

test('while a relay hangs on mail to one domain, other mail of all tenants is sent', async () => {
  const other = await createMailTenant(app);
  const answered = Promise.withResolvers<null>();
  let delayed = 0;
  relay.onMessage = ({ rcptTo }) => {
    if (!rcptTo.some((address) => address.endsWith('@slow.example'))) return null;
    delayed += 1;
    return answered.promise;
  };
  const slow = await send(tenant, {
    options: bulk,
    recipients: toRecipients(newAddresses(40, 'slow.example')),
  });
  await eventually('the slow domain to take its places', () => delayed === CONNECTIONS - 1);
  const ended = [
    await sendAndWait(tenant, { recipients: toRecipients(newAddresses(5)) }),
    await sendAndWait(other, { recipients: toRecipients(newAddresses(5)) }),
    await sendAndWait(other, { options: bulk, recipients: toRecipients(newAddresses(5)) }),
  ];
  assert.deepEqual(
    ended.map(({ counts }) => counts.delivered),
    [5, 5, 5],
  );
  assert.equal(delayed, CONNECTIONS - 1, 'the slow mail was still held');
  answered.resolve(null);
  assert.equal((await waitUntilEnded(tenant, slow)).counts.delivered, 40);
});

test("through a slow relay one tenant's bulk mail does not precede all other mail", async () => {
  const other = await createMailTenant(app);
  // The relay answers one message at a time, on request.
  const waiting: ((verdict: null) => void)[] = [];
  const before = relay.messages.length;
  relay.onMessage = () => new Promise((resolve) => waiting.push(resolve));
  const many = newAddresses(60);
  const large = await send(tenant, { options: bulk, recipients: toRecipients(many) });
  await eventually('all connections to be busy', () => waiting.length > 0);
  const [theirs = '', urgent = ''] = newAddresses(2);
  const ids = [
    await send(other, { options: bulk, recipients: toRecipients([theirs]) }),
    await send(tenant, { recipients: toRecipients([urgent]) }),
  ];
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  await eventually('them to be taken up', async () => {
    const { rows } = await sql<{ taken: number }>`select count(*)::int as taken from email_messages
      where transmission_id in (${sql.join(ids)}) and due_at > now() + interval '1 second'`.execute(
      everyTenant,
    );
    return rows[0]?.taken === 2;
  });
  const arrived = (address: string) =>
    relay.messages.slice(before).findIndex(({ rcptTo }) => rcptTo.includes(address));
  const addressCount = many.length + ids.length;
  let answered = 0;
  await eventually('both to arrive', () => {
    // No faster than the messages are prepared, so that the order is the one of the sender.
    const left = addressCount - answered;
    if (waiting.length >= Math.min(CONNECTIONS - 1, left)) {
      waiting.shift()?.(null);
      answered += 1;
    }
    return arrived(theirs) >= 0 && arrived(urgent) >= 0;
  });
  assert.ok(arrived(theirs) < 55, `theirs was number ${arrived(theirs)} of 62`);
  assert.ok(arrived(urgent) < 55, `the urgent one was number ${arrived(urgent)} of 62`);
  relay.onMessage = () => null;
  for (const answer of waiting) answer(null);
  assert.equal((await waitUntilEnded(tenant, large)).counts.delivered, 60);
});

test('messages during which the relay disconnects are sent later, once per recipient', async () => {
  const addresses = newAddresses(30);
  const toBeCut = new Set(addresses.filter((_address, index) => index % 3 === 0));
  relay.onDataStart = (session) => {
    const address = session.envelope.rcptTo[0]?.address ?? '';
    if (toBeCut.delete(address)) relay.cut(session);
  };
  const html = `<p>${'x'.repeat(100_000)}</p>`;
  const content = { from: `shop@${tenant.domain}`, subject: 'Hello', html };
  const id = await send(tenant, { content, recipients: toRecipients(addresses) });
  await waitUntilTried(id);
  assert.equal(toBeCut.size, 0, 'all ten were cut');
  const results = await resultsOf(tenant, id);
  assert.equal(results.filter(({ status }) => status === 'sending').length, 10);
  await endWaits();
  const { counts } = await waitUntilEnded(tenant, id);
  assert.deepEqual([counts.delivered, counts.bounced, counts.failed], [30, 0, 0]);
  for (const address of addresses) assert.equal((await mailsTo(relay, address)).length, 1, address);
});

test('permanent refusals of a relay suppress the recipient, temporary ones do not', async () => {
  const addresses = newAddresses(40);
  const rejected = addresses.filter((_address, index) => index % 10 === 3);
  const busy = new Set(addresses.filter((_address, index) => index % 10 === 7));
  relay.onRecipient = (address) => {
    if (rejected.includes(address)) return { code: 550, text: '5.1.1 No such user' };
    return busy.delete(address) ? { code: 451, text: '4.2.1 Come back later' } : null;
  };
  const id = await send(tenant, { recipients: toRecipients(addresses) });
  await waitUntilTried(id);
  const statuses = (await resultsOf(tenant, id)).map(({ status }) => status);
  const expected = (index: number) => ({ 3: 'bounced', 7: 'sending' })[index % 10] ?? 'sent';
  assert.deepEqual(
    statuses,
    addresses.map((_address, index) => expected(index)),
  );
  await endWaits();
  const { counts } = await waitUntilEnded(tenant, id);
  assert.deepEqual([counts.delivered, counts.bounced, counts.failed], [36, 4, 0]);
  assert.deepEqual(await suppressedOf(tenant, addresses), rejected);
});

test('a sender that the relay refuses fails the message without a conclusion about the recipient', async () => {
  const addresses = newAddresses(3);
  relay.onMailFrom = () => ({ code: 550, text: '5.7.1 Not your sender' });
  const first = await sendAndWait(tenant, { recipients: toRecipients(addresses) });
  assert.deepEqual([first.state, first.counts.failed, first.counts.bounced], ['failed', 3, 0]);
  const { body } = await tenant.api.get(`/api/transmissions/${first.id}/recipients`);
  assert.match(body.results[0].error, /Not your sender/);
  relay.onMailFrom = () => null;
  assert.deepEqual(await suppressedOf(tenant, addresses), []);
  const second = await sendAndWait(tenant, { recipients: toRecipients(addresses) });
  assert.equal(second.counts.delivered, 3);
});

test('content that a relay refuses after the recipient suppresses nobody', async () => {
  const addresses = newAddresses(2);
  relay.onMessage = () => ({ code: 550, text: 'Rejected' });
  const { counts } = await sendAndWait(tenant, { recipients: toRecipients(addresses) });
  assert.equal(counts.bounced, 2);
  assert.deepEqual(await suppressedOf(tenant, addresses), []);
});

test('templates that are endless or produce endless output fail only their own messages', async () => {
  const other = await createMailTenant(app);
  const from = `shop@${tenant.domain}`;
  const endless = '{{#each rows}}{{#each ../rows}}{{#each ../../rows}}{{/each}}{{/each}}{{/each}}';
  const line = `{{this}} is much too long${', over and over'.repeat(50)}`;
  const huge = `{{#each rows}}{{#each ../rows}}${line}{{/each}}{{/each}}`;
  const rows = Array.from({ length: 3000 }, (_row, index) => index);
  const [good = '', ...bad] = newAddresses(3);
  const recipients = [
    ...bad.map((address) => ({ address, substitution_data: { rows } })),
    { address: good, substitution_data: { rows: [] } },
  ];
  const bombs = await Promise.all(
    [endless, huge].map((html) => send(tenant, { content: { from, subject: 'S', html }, recipients })),
  );
  const fine = await sendAndWait(other, { recipients: toRecipients(newAddresses(5)) });
  assert.equal(fine.counts.delivered, 5);
  for (const id of bombs) {
    const ended = await waitUntilEnded(tenant, id);
    assert.deepEqual([ended.counts.failed, ended.counts.delivered], [2, 1]);
  }
  const [one, another] = await Promise.all(
    bombs.map((id) => tenant.api.get(`/api/transmissions/${id}/recipients`)),
  );
  assert.match(one?.body.results[0].error, /longer than 1000 ms/);
  assert.match(another?.body.results[0].error, /larger than 10 MiB/);
  assert.equal((await mailsTo(relay, good)).length, 2);
});
