/** Mail from end to end: sent over a real relay, opened, clicked, bounced and unsubscribed from. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ParsedMail } from 'mailparser';
import { createTransport } from 'nodemailer';
import { bounceReceiver } from '../../src/features/mail/email-tracking/index.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { createMailTenant, mailsTo, sendAndWait } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startRelay } from '../harness/relay.ts';
import { SAMPLE_MAILS } from '../harness/sample-bounces.ts';
import { startTestApp } from '../harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url, BOUNCE_SMTP_PORT: '0' });
const { port: bouncePort = 0 } = (await bounceReceiver(app.app.platform)) ?? {};
const tenant = await createMailTenant(app);
const receiver = await startReceiver();
await tenant.api.put('/api/email_settings', {
  sender_identities: [],
  whitelist_recipient_rules: [],
  subscription_types: [],
  subscriber_additional_fields: {},
  event_webhooks: [
    {
      name: 'Events',
      target: receiver.url,
      events: ['delivery', 'bounce', 'complaint', 'open', 'click', 'unsubscribe'],
      active: true,
    },
  ],
});

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' };
const bounce = SAMPLE_MAILS.find(({ name }) => name.startsWith('Postfix: unknown user'))?.text ?? '';

const send = (address: string, more: object = {}) =>
  sendAndWait(tenant, {
    campaign_id: 'SPRING',
    metadata: { shop: 'north', city: 'Sydney' },
    options: { transactional: false, open_tracking: true, click_tracking: true },
    recipients: [{ address, tags: ['spring'], metadata: { city: 'London' } }],
    content: {
      from: `Shop <shop@${tenant.domain}>`,
      subject: 'Offers',
      html: '<p>Hi</p><a href="https://shop.test/?utm_source=news&amp;utm_campaign=spring">Offers</a> <a href="{{unsubscribe_url}}">Unsubscribe</a>',
    },
    ...more,
  });

async function mailTo(address: string): Promise<ParsedMail & { readonly mailFrom: string }> {
  const [mail] = await mailsTo(relay, address);
  const sent = relay.messages.find(({ rcptTo }) => rcptTo.includes(address));
  assert.ok(mail && sent, `no mail to ${address}`);
  return Object.assign(mail, { mailFrom: sent.mailFrom });
}

const linksOf = (mail: ParsedMail) =>
  [...String(mail.html).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => new URL(url).pathname);

/** Returns the events of an address that webhooks received, in the order in which they happened. */
const eventsOf = (address: string, count: number) =>
  eventually(`${count} events of ${address}`, () => {
    const events = receiver.received.map(({ body }) => body).filter(({ recipient }) => recipient === address);
    events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    return events.length >= count && events;
  });

async function suppressionOf(address: string): Promise<string | null> {
  const answer = await tenant.api.send('GET', `/api/email_settings/suppressions/list/${address}`);
  return answer.status === 200 ? answer.body.type : null;
}

test('an open and a click are counted once and reported with their data', async () => {
  const address = 'ada@reader.test';
  const { id } = await send(address);
  const mail = await mailTo(address);
  const [click = '', unsubscribe = '', open = ''] = linksOf(mail);
  assert.deepEqual(
    [click, unsubscribe, open].map((path) => path.slice(0, 5)),
    ['/t/c/', unsubscribe.slice(0, 5), '/t/o/'],
  );
  assert.match(unsubscribe, /^\/u\//);
  for (let n = 0; n < 2; n += 1) {
    await app.anonymous.get(open, 200, { headers: BROWSER });
    const { headers } = await app.anonymous.get(click, 302, { headers: BROWSER });
    assert.equal(headers.get('location'), 'https://shop.test/?utm_source=news&utm_campaign=spring');
  }
  await app.anonymous.get(open, 200, { headers: { 'user-agent': 'Mozilla/5.0' } });
  const events = await eventsOf(address, 6);
  assert.deepEqual(events.map(({ event }) => event).sort(), [
    'click',
    'click',
    'delivery',
    'open',
    'open',
    'open',
  ]);
  assert.equal(events.filter(({ machine_reason }) => machine_reason === 'apple_mail_privacy').length, 1);
  const { event_id, timestamp, email_id, message_id, ...first } = events.find(
    ({ event }) => event === 'click',
  );
  assert.deepEqual(first, {
    event: 'click',
    recipient: address,
    campaign_id: 'SPRING',
    transmission_id: id,
    tags: ['spring'],
    metadata: { shop: 'north', city: 'London', ip: '127.0.0.1', user_agent: BROWSER['user-agent'] },
    url: 'https://shop.test/?utm_source=news&utm_campaign=spring',
  });
  assert.ok(event_id && timestamp);
  assert.equal(email_id, message_id);
  const { counts } = (await tenant.api.get(`/api/transmissions/${id}`)).body;
  assert.deepEqual([counts.delivered, counts.opened, counts.clicked, counts.bounced], [1, 1, 1, 0]);
  const story = await tenant.api.get(`/api/transmissions/${id}/recipients/${address}`);
  assert.match(story.text, /apple_mail_privacy/);
});

test('a bounce by SMTP revokes the delivery and suppresses the address', async () => {
  const address = 'gone@reader.test';
  const { id } = await send(address);
  const { mailFrom } = await mailTo(address);
  assert.match(mailFrom, new RegExp(`^bounce\\+[\\w-]{50}@.*${tenant.domain}$`));
  await createTransport({ host: '127.0.0.1', port: bouncePort, ignoreTLS: true }).sendMail({
    envelope: { from: '', to: [mailFrom] },
    raw: bounce.replaceAll('<TO>', `<${mailFrom}>`),
  });
  assert.equal(await suppressionOf(address), 'bounce');
  const { counts } = (await tenant.api.get(`/api/transmissions/${id}`)).body;
  assert.deepEqual([counts.delivered, counts.bounced], [0, 1]);
  const events = (await eventsOf(address, 2)).find(({ event }) => event === 'bounce');
  assert.deepEqual([events.bounce_class, events.tags], ['hard', ['spring']]);
  assert.match(events.reason, /User unknown/);
  const again = await send(address, { options: { transactional: true } });
  assert.deepEqual([again.counts.suppressed, again.counts.sent], [1, 0]);
});

test('the mailto link of the header unsubscribes from marketing mail only', async () => {
  const address = 'leaver@reader.test';
  await send(address);
  const line = (await mailTo(address)).headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '';
  const to = /<mailto:([^?>]+)/.exec(line.replace(/\s+/g, ' '))?.[1] ?? '';
  await createTransport({ host: '127.0.0.1', port: bouncePort, ignoreTLS: true }).sendMail({
    envelope: { from: address, to: [to] },
    raw: `From: ${address}\r\nSubject: unsubscribe\r\n\r\n`,
  });
  assert.equal(await suppressionOf(address), 'unsubscribe');
  assert.equal((await send(address)).counts.suppressed, 1);
  const content = { from: `shop@${tenant.domain}`, subject: 'Your order', html: '<p>It is on its way.</p>' };
  assert.equal((await send(address, { options: { transactional: true }, content })).counts.sent, 1);
});

test('the button of the page unsubscribes, opening the page does not', {
  skip: withoutBrowser(),
}, async () => {
  const address = 'button@reader.test';
  await send(address);
  const path = linksOf(await mailTo(address)).find((link) => link.startsWith('/u/'));
  const browser = await startBrowser();
  const page = await browser?.newPage();
  await page?.goto(`${app.url}${path}`);
  assert.equal(await suppressionOf(address), null);
  await page?.getByRole('button', { name: 'Unsubscribe' }).click();
  await page?.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  assert.equal(await suppressionOf(address), 'unsubscribe');
  assert.equal(
    (await eventsOf(address, 2)).some(({ event }) => event === 'unsubscribe'),
    true,
  );
});
