import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import test from 'node:test';
import {
  createSentMessage,
  readMessageRow,
  type SentMessage,
} from '../../../../test/harness/email-messages.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const HOOKS = '/api/email_settings/provider_hooks';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sendgridKey = ec.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

/** Creates a hook, and returns the path of its URL. */
async function hook(provider: string, key?: string): Promise<string> {
  const { body } = await tenant.api.post(HOOKS, { provider, ...(key ? { signing_key: key } : {}) });
  return body.url.replace(/^http:\/\/localhost:\d+/, '');
}

interface Posted {
  readonly rawBody: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(path: string, posted: Posted, status = 200) {
  return (await app.anonymous.post(path, undefined, status, posted)).body;
}

function byMailgun(key: string, event: object, ageSeconds = 0): Posted {
  const [timestamp, token] = [String(Math.floor(nowSeconds() - ageSeconds)), randomUUID()];
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  return { rawBody: JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event }) };
}

function bySendGrid(events: object): Posted {
  const time = String(Math.floor(Date.now() / 1000));
  const rawBody = JSON.stringify(events, null, 1);
  const signature = sign('sha256', Buffer.from(time + rawBody), ec.privateKey).toString('base64');
  const name = 'x-twilio-email-event-webhook';
  return { rawBody, headers: { [`${name}-timestamp`]: time, [`${name}-signature`]: signature } };
}

const byPostmark = (notice: object, headers: Readonly<Record<string, string>> = {}): Posted => ({
  rawBody: JSON.stringify(notice),
  headers,
});

const create = () => createSentMessage(app, tenant);
const nowSeconds = () => Date.now() / 1000;

async function suppressionOf({ address }: SentMessage): Promise<string | null> {
  const answer = await tenant.api.send('GET', `/api/email_settings/suppressions/list/${address}`);
  return answer.status === 200 ? answer.body.type : null;
}

/** Returns the result of the message and its recipient: status, bounce class, suppression. */
async function resultOf(message: SentMessage): Promise<unknown[]> {
  const { status, bounce_class } = await readMessageRow(app.app.platform, message);
  return [status, bounce_class, await suppressionOf(message)];
}

const UNTOUCHED = ['sent', null, null];
const HARD = ['bounced', 'hard', 'bounce'];
const SOFT = ['bounced', 'soft', null];
const COMPLAINED = ['sent', null, 'complaint'];

const KEY = 'key-of-the-account';
const mailgunEvent = ({ address, messageId }: SentMessage, facts: object) => ({
  ...{ event: 'failed', severity: 'permanent', timestamp: nowSeconds(), recipient: address },
  message: { headers: { 'message-id': `${messageId}@shop.test` } },
  ...facts,
});
const failed = (code: number, message: string, reason = 'bounce') => ({
  ...{ reason, 'delivery-status': { code, message } },
});
const MAILGUN: readonly [string, object, unknown[]][] = [
  ['a missing mailbox', failed(550, '5.1.1 no such user'), HARD],
  ['a full mailbox', failed(552, '5.2.2 mailbox full'), SOFT],
  ['a quota, reported as a bounce', failed(550, '5.1.1 <a@x.test> is over quota'), SOFT],
  ['a rule of the recipient', failed(550, 'Administrative prohibition'), SOFT],
  ['a reputation', failed(550, '5.7.1 IP address blacklisted by recipient'), SOFT],
  ['an unknown refusal', failed(554, 'Transaction failed'), SOFT],
  ['an address on its list of bounces', failed(605, 'Not delivering', 'suppress-bounce'), HARD],
  ['a failure for now', { ...failed(450, 'later'), severity: 'temporary' }, UNTOUCHED],
  ['a complaint', { event: 'complained' }, COMPLAINED],
  ['a delivery', { event: 'delivered' }, UNTOUCHED],
];

for (const [name, facts, expected] of MAILGUN) {
  test(`mailgun: ${name} counts like one by mail, and once`, async () => {
    const [path, message] = [await hook('mailgun', KEY), await create()];
    const posted = byMailgun(KEY, mailgunEvent(message, facts));
    assert.deepEqual(await post(path, posted), { recorded: expected === UNTOUCHED ? 0 : 1 });
    assert.deepEqual(await resultOf(message), expected);
    assert.deepEqual(await post(path, posted), { recorded: 0 });
  });
}

const sendgridEvent = ({ address, messageId }: SentMessage, facts: object) => ({
  ...{ email: address, timestamp: Math.floor(nowSeconds()), 'smtp-id': `<${messageId}@shop.test>` },
  ...facts,
});
const SENDGRID: readonly [object, unknown[]][] = [
  [{ event: 'bounce', type: 'bounce', status: '5.0.0', reason: 'refused' }, HARD],
  [{ event: 'bounce', type: 'bounce', status: '5.2.2', reason: '552 mailbox full' }, SOFT],
  [{ event: 'bounce', type: 'blocked', status: '5.7.1', reason: '550 5.1.1 listed' }, SOFT],
  [{ event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 Denied by policy' }, SOFT],
  [{ event: 'bounce', type: 'bounce', status: '5.0.0', reason: '550 Bad DNS PTR resource record' }, SOFT],
  [
    {
      event: 'bounce',
      type: 'bounce',
      status: '5.0.0',
      reason: "554 This user doesn't have a yahoo.com account",
    },
    HARD,
  ],
  [{ event: 'dropped', reason: 'Bounced Address' }, HARD],
  [{ event: 'dropped', reason: 'Unsubscribed Address' }, UNTOUCHED],
  [{ event: 'dropped', reason: 'Invalid' }, HARD],
  [{ event: 'dropped', reason: 'Invalid SMTPAPI header' }, UNTOUCHED],
  [{ event: 'dropped', reason: 'Recipient List over Package Quota' }, UNTOUCHED],
  [
    { event: 'bounce', reason: '550 5.1.1 <x> - 203.0.113.2 has sent to too many recipients this hour' },
    SOFT,
  ],
  [{ event: 'bounce', reason: '553 http://www.spamhaus.org/query/bl?ip=192.0.2.2', status: '5.1.1' }, SOFT],
  [{ event: 'spamreport' }, COMPLAINED],
  [{ event: 'delivered', response: '250 OK' }, UNTOUCHED],
  [{ event: 'deferred', reason: '421 later' }, UNTOUCHED],
];

test('sendgrid: each event of a batch counts for its own message', async () => {
  const path = await hook('sendgrid', sendgridKey);
  const messages = await Promise.all(SENDGRID.map(create));
  const events = messages.map((message, index) => sendgridEvent(message, SENDGRID[index]?.[0] ?? {}));
  const posted = bySendGrid([...events, ...events]);
  await post(path, posted);
  for (const [index, message] of messages.entries())
    assert.deepEqual(await resultOf(message), SENDGRID[index]?.[1], JSON.stringify(SENDGRID[index]));
  assert.deepEqual(await post(path, posted), { recorded: 0 });
});

const POSTMARK: readonly [object, unknown[]][] = [
  [{ RecordType: 'Bounce', Type: 'HardBounce', Details: 'smtp;550 no such user' }, HARD],
  [{ RecordType: 'Bounce', Type: 'HardBounce', Details: 'smtp;550 5.7.1 Relaying denied' }, SOFT],
  [
    {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      Description: 'The server was unable to deliver your message',
    },
    HARD,
  ],
  [{ RecordType: 'Bounce', Type: 'SoftBounce', Description: 'full' }, SOFT],
  [{ RecordType: 'Bounce', Type: 'VirusNotification', Description: 'virus' }, SOFT],
  [{ RecordType: 'Bounce', Type: 'DMARCPolicy', Description: 'rejected by DMARC policy' }, SOFT],
  [{ RecordType: 'Bounce', Type: 'Unknown', Description: 'unknown' }, SOFT],
  [{ RecordType: 'Bounce', Type: 'HardBounce', Details: 'smtp;550 Relay nicht erlaubt' }, SOFT],
  [{ RecordType: 'Bounce', Type: 'HardBounce', Details: 'smtp;550 El buzón no existe' }, HARD],
  [{ RecordType: 'Bounce', Type: 'Transient' }, UNTOUCHED],
  [{ RecordType: 'Bounce', Type: 'AutoResponder' }, UNTOUCHED],
  [{ RecordType: 'SpamComplaint', Type: 'SpamComplaint' }, COMPLAINED],
];

test('postmark: a notice counts for the last message sent to the recipient before it', async () => {
  const path = await hook('postmark');
  for (const [facts, expected] of POSTMARK) {
    const address = `r${randomUUID()}@example.com`;
    const earlier = await createSentMessage(app, tenant, { address });
    const madeAt = Date.now();
    // Of two messages with the same millisecond neither is the last.
    await eventually('another millisecond', () => Date.now() > madeAt + 1);
    const last = await createSentMessage(app, tenant, { address });
    const posted = byPostmark({
      ...facts,
      Email: address.toUpperCase(),
      BouncedAt: new Date().toISOString(),
    });
    await post(path, posted);
    assert.deepEqual(await resultOf(last), expected, JSON.stringify(facts));
    assert.equal((await readMessageRow(app.app.platform, earlier)).status, 'sent');
    const later = await createSentMessage(app, tenant, { address });
    assert.deepEqual(await post(path, posted), { recorded: 0 });
    assert.equal((await readMessageRow(app.app.platform, later)).status, 'sent');
  }
});

test('postmark: a message that was not sent cannot match a notice', async () => {
  const path = await hook('postmark');
  const [sent, waiting] = [await create(), await create()];
  const { address } = sent;
  await app.app.platform.database
    .everyTenant('tests')
    .query.updateTable('email_messages')
    .set({ recipient: address, state: 'pending', status: 'queued', sent_at: null, due_at: '9999-01-01' })
    .where('id', '=', waiting.messageId)
    .execute();
  const notice = { RecordType: 'Bounce', Type: 'HardBounce', Email: address };
  assert.deepEqual(await post(path, byPostmark(notice)), { recorded: 1 });
  assert.deepEqual(await resultOf(sent), HARD);
  assert.equal((await readMessageRow(app.app.platform, waiting)).status, 'queued');
});

test('a repeated notice does not suppress an address whose suppression was lifted', async () => {
  const [path, message] = [await hook('mailgun', KEY), await create()];
  const posted = byMailgun(KEY, mailgunEvent(message, failed(550, '5.1.1 no such user')));
  await post(path, posted);
  await tenant.api.delete(`/api/email_settings/suppressions/${message.address}`);
  await post(path, posted);
  assert.equal(await suppressionOf(message), null);
});

test('an unsigned notice is rejected and changes nothing', async () => {
  const message = await create();
  const bounce = mailgunEvent(message, failed(550, '5.1.1 no such user'));
  const mailgunPath = await hook('mailgun', KEY);
  await post(mailgunPath, byMailgun('another key', bounce), 401);
  await post(mailgunPath, byMailgun('', bounce), 401);
  for (const age of [2 * 86_400, -2 * 86_400, Number.NaN])
    await post(mailgunPath, byMailgun(KEY, bounce, age), 401);
  const sendgridPath = await hook('sendgrid', sendgridKey);
  const { rawBody, headers = {} } = bySendGrid([sendgridEvent(message, { event: 'spamreport' })]);
  await post(sendgridPath, { rawBody: `${rawBody} `, headers }, 401);
  await post(sendgridPath, { rawBody }, 401);
  const postmarkPath = await hook('postmark', 'ada:secret');
  const notice = { RecordType: 'SpamComplaint', Email: message.address };
  await post(postmarkPath, byPostmark(notice), 401);
  await post(postmarkPath, byPostmark(notice, { authorization: `Basic ${btoa('ada:wrong')}` }), 401);
  assert.deepEqual(await resultOf(message), UNTOUCHED);
  await post(postmarkPath, byPostmark(notice, { authorization: `Basic ${btoa('ada:secret')}` }));
  assert.deepEqual(await resultOf(message), COMPLAINED);
});

test('a hook URL is valid for its own provider, unaltered, until it is replaced', async () => {
  const first = await hook('postmark');
  const posted = byPostmark({ RecordType: 'Delivery' });
  await post(first, posted);
  for (const path of [first.replace('postmark', 'ses'), first.replace('postmark', 'other'), `${first}A`])
    assert.equal((await post(path, posted, 404)).code, 'TOKEN_INVALID', path);
  const second = await hook('postmark');
  await post(first, posted, 404);
  await post(second, posted);
});

test('a notice about mail of another tenant, or about unknown mail, changes nothing', async () => {
  const foreign = await createSentMessage(app, await app.createTenant());
  const path = await hook('mailgun', KEY);
  const bounce = failed(550, '5.1.1 no such user');
  for (const messageId of [foreign.messageId, randomUUID(), 'somebody else'])
    assert.deepEqual(await post(path, byMailgun(KEY, mailgunEvent({ ...foreign, messageId }, bounce))), {
      recorded: 0,
    });
  assert.equal((await readMessageRow(app.app.platform, foreign)).status, 'sent');
});

test('a signed notice of another form is rejected by name', async () => {
  const path = await hook('sendgrid', sendgridKey);
  assert.equal((await post(path, bySendGrid({ event: 'bounce' }), 400)).code, 'INVALID_REQUEST');
  await post(await hook('mailgun', KEY), { rawBody: '[]' }, 400);
  await post(await hook('postmark'), { rawBody: 'no JSON' }, 400);
});

test('only an admin of Default creates a hook, with a key in the format of its provider', async () => {
  const wrong = [
    ...[{ provider: 'mailgun' }, { provider: 'sendgrid' }, { provider: 'sendgrid', signing_key: 'AAAA' }],
    ...[
      { provider: 'postmark', signing_key: 'secret' },
      { provider: 'ses', signing_key: 'secret' },
    ],
  ];
  for (const body of wrong) {
    const { error } = (await tenant.api.post(HOOKS, body, 400)).body;
    assert.equal(error.details[0].field, 'signing_key', JSON.stringify(body));
  }
  assert.equal(
    (await tenant.api.post(HOOKS, { provider: 'other' }, 400)).body.error.details[0].field,
    'provider',
  );
  const { api } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  await api.post(HOOKS, { provider: 'ses' }, 403);
});
