import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { createTransport } from 'nodemailer';
import { pino } from 'pino';
import {
  createSentMessage,
  readMessageRow,
  type SentMessage,
} from '../../../../test/harness/email-messages.ts';
import { SAMPLE_MAILS } from '../../../../test/harness/sample-bounces.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { createTestDatabase } from '../../../../test/harness/test-database.ts';
import { startApp } from '../../../app.ts';
import { loadConfig } from '../../../config.ts';
import { bounceAddress } from '../../../mail/verp.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { bounceReceiver } from './bounce-intake.ts';
import { unsubscribeLinks } from './links.ts';
import { listMessageEvents } from './message-events.ts';

const app = await startTestApp({ BOUNCE_SMTP_PORT: '0' });
const { platform } = app.app;
const tenant = await app.createTenant();
const { port = 0 } = (await bounceReceiver(platform)) ?? {};
const DOMAIN = 'bounces.shop.test';

const create = () => createSentMessage(app, tenant);
const addressOf = (message: SentMessage) => bounceAddress(platform, { ...message, domain: DOMAIN });

/** Sends mail to the receiver over SMTP. @throws with `responseCode` when the receiver rejects it. */
async function mail(to: string | string[], raw: string | Buffer, from = '') {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
  try {
    return await transport.sendMail({ envelope: { from, to }, raw });
  } finally {
    transport.close();
  }
}

const eventsOf = ({ tenantId, messageId }: SentMessage) =>
  listMessageEvents(platform.scoped(wholeTenant(tenantId)), [messageId]);

async function suppressionOf({ address }: SentMessage): Promise<string | null> {
  const path = `/api/email_settings/suppressions/list/${encodeURIComponent(address)}`;
  const answer = await tenant.api.send('GET', path);
  return answer.status === 200 ? answer.body.type : null;
}

const EXPECTED = {
  hard: ['bounce', 'bounce'],
  soft: ['bounce', null],
  complaint: ['complaint', 'complaint'],
  unsubscribe: ['unsubscribe', 'unsubscribe'],
  nothing: [undefined, null],
} as const;

for (const sample of SAMPLE_MAILS) {
  test(`${sample.name} by SMTP is recorded as ${sample.expected} before it is acknowledged`, async () => {
    const message = await create();
    const to = addressOf(message);
    await mail(to, sample.text.replaceAll('<TO>', `<${to}>`).replaceAll('TO', to), sample.from);
    const [event, ...more] = await eventsOf(message);
    assert.deepEqual([event?.type, await suppressionOf(message)], EXPECTED[sample.expected]);
    assert.deepEqual(more, []);
    if (event?.type !== 'bounce') return;
    const { status, bounce_class, bounce_reason } = await readMessageRow(platform, message);
    assert.deepEqual([status, bounce_class], ['bounced', sample.expected]);
    assert.match(bounce_reason, new RegExp(sample.reason ?? '.'));
  });
}

const HARD = SAMPLE_MAILS.find(({ name }) => name === 'qmail')?.text ?? '';
const COMPLAINT = SAMPLE_MAILS.find(({ name }) => name === 'a feedback report')?.text ?? '';

test('the same bounce twice counts once', async () => {
  const message = await create();
  for (let n = 0; n < 2; n += 1) await mail(addressOf(message), HARD);
  assert.equal((await eventsOf(message)).length, 1);
});

test('bounces about our server never suppress an address, three soft ones do', async () => {
  const report = SAMPLE_MAILS.find(({ name }) => name === 'Postfix: blocked by reputation')?.text ?? '';
  const full = SAMPLE_MAILS.find(({ name }) => name === 'Postfix: full mailbox, permanently')?.text ?? '';
  const first = await create();
  const messages = [first];
  for (let n = 0; n < 5; n += 1)
    messages.push(await createSentMessage(app, tenant, { address: first.address }));
  const [a, b, c, d, e, f] = messages.map(addressOf);
  for (const to of [a, b, c]) await mail(to ?? '', report);
  assert.equal(await suppressionOf(first), null);
  for (const to of [d, e]) await mail(to ?? '', full);
  assert.equal(await suppressionOf(first), null);
  await mail(f ?? '', full);
  assert.equal(await suppressionOf(first), 'bounce');
});

test('mail to foreign addresses is rejected, also if they look like ours', async () => {
  const message = await create();
  const own = addressOf(message);
  const at = own.lastIndexOf('@');
  const altered = [
    `someone@${DOMAIN}`,
    `bounce+${'A'.repeat(50)}@${DOMAIN}`,
    own.slice(0, at - 1) + (own[at - 1] === 'A' ? 'B' : 'A') + own.slice(at),
    own.toLowerCase(),
  ];
  for (const address of altered)
    await assert.rejects(
      mail(address, HARD),
      (error) => error instanceof Error && /550/.test(error.message),
      address,
    );
  assert.deepEqual(await eventsOf(message), []);
});

test('a feedback report to a registered address finds its message only by our signatures', async () => {
  const [signed, linked, forged] = [await create(), await create(), await create()];
  await mail('fbl@shop.test', COMPLAINT.replaceAll('TO', addressOf(signed)), 'feedback@isp.test');
  assert.equal(await suppressionOf(signed), 'complaint');
  const { url } = unsubscribeLinks(platform, linked.tenantId, linked.messageId);
  const shown = COMPLAINT.replace('Message-ID', `List-Unsubscribe: <${url}>\nMessage-ID`);
  await mail('abuse@shop.test', shown, 'feedback@isp.test');
  assert.equal(await suppressionOf(linked), 'complaint');
  const claimed = COMPLAINT.replace('Message-ID', `X-Tessera-Message: ${forged.messageId}\nMessage-ID`);
  await mail('abuse@shop.test', claimed, 'feedback@isp.test');
  assert.equal(await suppressionOf(forged), null);
});

const linkOf = (message: SentMessage) => {
  const { mailto } = unsubscribeLinks(platform, message.tenantId, message.messageId, DOMAIN);
  return /^mailto:([^?]+)\?subject=unsubscribe$/.exec(mailto ?? '')?.[1] ?? '';
};

/** Unsubscribe mails of mail programs and people: header fields before the text, and the envelope sender. */
const REQUESTS: readonly (readonly [string, string, string])[] = [
  ['a mail program', 'Subject: unsubscribe', 'a@b.test'],
  [
    'Apple Mail',
    'Subject: unsubscribe\nAuto-Submitted: auto-generated\nX-Mailer: Apple Mail (2.3774)',
    'a@b.test',
  ],
  ['Apple Mail by iCloud', 'Subject: unsubscribe\nAuto-Submitted: auto-replied', ''],
  ['nobody', 'Subject: unsubscribe', ''],
  ['a gateway', 'Subject: unsubscribe\nPrecedence: auto_reply', 'a@b.test'],
  ['an agent', 'Subject: unsubscribe\nX-Autorespond: yes\nX-Autoreply: yes', 'a@b.test'],
  ['a person who answers', 'Subject: Re: Spring sale\nIn-Reply-To: <1@shop.test>', 'a@b.test'],
  ['a person without a subject', 'X-Mailer: phone', 'a@b.test'],
  ['bulk mail', 'Subject: unsubscribe\nPrecedence: bulk\nAuto-Submitted: auto-generated', ''],
  ['an encoded subject', 'Subject: =?utf-8?B?dW5zdWJzY3JpYmU=?=\nAuto-Submitted: yes', 'a@b.test'],
  ['a list manager', 'Subject: unsubscribe\nSender: postmaster@b.test', 'postmaster@b.test'],
];

for (const [name, fields, from] of REQUESTS) {
  test(`${name} that writes to the mailto link unsubscribes`, async () => {
    const message = await create();
    await mail(linkOf(message), `From: a@b.test\n${fields}\n\nsent by a mail program\n`, from);
    assert.equal(await suppressionOf(message), 'unsubscribe');
  });
}

test('a bounce of the mailto link is a bounce, and without a bounce domain there is no such link', async () => {
  const [bounced, delayed] = [await create(), await create()];
  await mail(linkOf(bounced), HARD);
  assert.equal(await suppressionOf(bounced), 'bounce');
  await mail(linkOf(delayed), SAMPLE_MAILS.find(({ name }) => name === 'Postfix: only delayed')?.text ?? '');
  assert.equal(await suppressionOf(delayed), null);
  assert.equal(unsubscribeLinks(platform, bounced.tenantId, bounced.messageId).mailto, null);
});

test('one mail about several messages is recorded for each', async () => {
  const messages = [await create(), await create()];
  await mail(messages.map(addressOf), HARD);
  for (const message of messages) assert.equal(await suppressionOf(message), 'bounce');
});

test('a bounce that contains a large message is read only as far as needed', async () => {
  const message = await create();
  await mail(
    addressOf(message),
    Buffer.concat([Buffer.from(HARD), Buffer.alloc(5 * 1024 * 1024, 'large\r\n')]),
  );
  assert.equal(await suppressionOf(message), 'bounce');
});

/** Sends raw lines to the receiver and returns its answers. */
async function speak(...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'data');
  socket.write(lines.map((line) => `${line}\r\n`).join(''));
  return text(socket);
}

test('the receiver offers neither authentication nor relaying, and has a size limit', async () => {
  const talk = await speak(
    'EHLO x.test',
    'MAIL FROM:<a@b.test> SIZE=99999999',
    'AUTH LOGIN',
    'STARTTLS',
    'QUIT',
  );
  assert.match(talk, /250[ -]SIZE 41943040/);
  assert.doesNotMatch(talk, /250[ -](?:AUTH|STARTTLS)/);
  assert.match(talk, /552/);
});

test('an API process has no receiver, and a port in use stops the start with a clear message', async (t) => {
  const silent = { log: pino({ level: 'silent' }) };
  const other = await startTestApp({ ROLE: 'api', BOUNCE_SMTP_PORT: String(port) });
  assert.equal(await bounceReceiver(other.app.platform), null);
  const database = await createTestDatabase();
  t.after(() => database.remove());
  const env = { ...other.env, ...database.env, ROLE: 'all' };
  await assert.rejects(startApp(loadConfig(env), silent), /BOUNCE_SMTP_PORT/);
});
