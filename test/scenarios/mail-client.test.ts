/** A newsletter in the recipient's mail program: parsed, its signature checked, and shown by a browser. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { type ParsedMail, simpleParser } from 'mailparser';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { verifyDkim } from '../harness/dkim-verifier.ts';
import { createMailTenant, sendAndWait } from '../harness/mail.ts';
import { startRelay } from '../harness/relay.ts';
import { ROOT } from '../harness/repository.ts';
import { startTestApp } from '../harness/test-app.ts';

const HTML = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Spring</title>
<style>
  body { margin: 0; background: #f2f4f8; font-family: Arial, sans-serif; color: #1c2733 }
  .card { max-width: 560px; margin: 24px auto; background: #ffffff; padding: 24px }
  h1 { font-size: 26px; color: #0b5cad }
  .item td { border-bottom: 1px solid #d8dee9; padding: 8px 0 }
  .price { text-align: right; font-weight: bold }
  .button { display: inline-block; background: #0b5cad; color: #ffffff; padding: 12px 20px; text-decoration: none }
  .footer { font-size: 12px; color: #5b6b7d }
  @media (max-width: 480px) { .card { padding: 12px } }
</style></head>
<body><div class="card">
  <h1>Hello {{first_name}}, it is spring 🌷</h1>
  <p>Grüße aus München. Today: {{formatDate today "DD MMM YYYY"}}.</p>
  <table class="items" width="100%" cellspacing="0">
  {{#each items}}<tr class="item"><td>{{name}}</td><td class="price">{{price}}</td></tr>{{/each}}
  </table>
  {{#if vip}}<p class="vip">You are invited to the preview.</p>{{else}}<p class="vip">See you soon.</p>{{/if}}
  <p><a class="button" href="https://shop.example/spring?utm_source=news&who={{first_name}}">See all offers</a></p>
  {{{snippet "footer"}}}
</div></body></html>`;
const FOOTER =
  '<p class="footer">You get this as {{address.email}}. <a href="{{unsubscribe_url}}">Unsubscribe</a></p>';
const ITEMS = [
  { name: 'Tulips & <b>daffodils</b>', price: '€ 12.50' },
  { name: 'Gießkanne, 5 l', price: '€ 24.00' },
  { name: '日本の桜', price: '€ 310.00' },
];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const { raw, mail } = await sendNewsletter();

async function sendNewsletter(): Promise<{ raw: Buffer; mail: ParsedMail }> {
  const { api, domain } = tenant;
  await api.post('/api/template_snippets', { name: 'footer', content: FOOTER });
  const template = {
    name: 'Spring',
    from_email: `news@${domain}`,
    from_name: 'Blumen Müller',
    transactional: false,
  };
  const { id } = (await api.post('/api/templates', { ...template, reply_to: `help@${domain}` })).body;
  await api.post(`/api/templates/${id}/versions`, {
    active: true,
    subject: '{{first_name}}, spring offers for you – 10 % off 🌷',
    html_content: HTML,
    generate_plain_content: true,
  });
  const attachments = [
    { name: 'Preise ü.csv', type: 'text/csv', data: Buffer.from('a;b\n').toString('base64') },
  ];
  const { counts } = await sendAndWait(tenant, {
    options: { transactional: false, open_tracking: true, click_tracking: true, inline_css: true },
    content: { template_id: id, attachments },
    substitution_data: { items: ITEMS, today: '2030-03-20T08:00:00Z', vip: false },
    recipients: [
      {
        address: { email: 'zoe@reader.example', name: 'Zoë O’Neil, Dr.' },
        substitution_data: { first_name: 'Zoë', vip: true },
      },
    ],
  });
  assert.equal(counts.delivered, 1);
  const [message] = relay.messages;
  assert.ok(message);
  return { raw: message.raw, mail: await simpleParser(message.raw) };
}

test('a mail program parses sender, recipient, subject, both texts and the attachment', () => {
  assert.equal(mail.subject, 'Zoë, spring offers for you – 10 % off 🌷');
  assert.equal(mail.from?.value[0]?.name, 'Blumen Müller');
  const [to] = [mail.to].flat();
  assert.deepEqual(to?.value, [{ address: 'zoe@reader.example', name: 'Zoë O’Neil, Dr.' }]);
  assert.equal(mail.replyTo?.value[0]?.address, `help@${tenant.domain}`);
  assert.deepEqual(
    mail.attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()]),
    [['Preise ü.csv', 'text/csv', 'a;b\n']],
  );
  const text = mail.text ?? '';
  for (const part of [
    'Hello Zoë, it is spring 🌷',
    '20 Mar 2030',
    'Tulips & <b>daffodils</b>',
    '日本の桜',
    '€ 310.00',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`);
  assert.doesNotMatch(text, /See you soon|\{\{|<p/);
  assert.match(text, /See all offers \[https:\/\/shop\.example\/spring\?utm_source=news&who=Zo%C3%AB\]/);
});

test('the signature is valid for the received message and names the sending domain', async () => {
  const [{ dns_records: records }] = (await tenant.api.get('/api/email_settings/sending_domains')).body;
  const published = records.find(({ purpose }: { purpose: string }) => purpose.startsWith('DKIM'));
  const key = /p=([^;\s]+)/.exec(published.value)?.[1];
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`;
  const { domain, selector, signedFields } = verifyDkim(raw, publicKey);
  assert.equal(`${selector}._domainkey.${domain}`, published.name);
  for (const field of ['from', 'to', 'subject', 'date', 'list-unsubscribe', 'list-unsubscribe-post'])
    assert.ok(signedFields.includes(field), field);
  const changed = Buffer.from(raw.toString('latin1').replace('Subject:', 'Subject: Re:'), 'latin1');
  assert.throws(() => verifyDkim(changed, publicKey));
});

test('a mail program without style sheets shows the design, on a screen and on a phone', {
  skip: withoutBrowser(),
}, async () => {
  const browser = await startBrowser();
  const page = await browser?.newPage({ viewport: { width: 800, height: 700 } });
  assert.ok(page);
  // Images are blocked at first, as in most mail programs.
  await page.route('**/*', (route) => route.abort());
  const html = String(mail.html).replaceAll(/<style[\s\S]*?<\/style>/g, '');
  await page.setContent(html);
  await mkdir(join(ROOT, 'test-results'), { recursive: true });
  await page.screenshot({ path: join(ROOT, 'test-results', 'newsletter.png'), fullPage: true });
  assert.equal(await page.getByRole('heading').innerText(), 'Hello Zoë, it is spring 🌷');
  assert.deepEqual(
    await page.locator('.item td:first-child').allInnerTexts(),
    ITEMS.map(({ name }) => name),
  );
  assert.equal(await page.locator('.vip').innerText(), 'You are invited to the preview.');
  const styleOf = (property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('.button'))['${property}']`);
  assert.equal(await styleOf('background-color'), 'rgb(11, 92, 173)');
  assert.equal(await styleOf('color'), 'rgb(255, 255, 255)');
  assert.equal((await page.locator('.card').boundingBox())?.width, 608);
  for (const width of [800, 360]) {
    await page.setViewportSize({ width, height: 700 });
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(overflow <= 0, `at ${width} px it is ${overflow} px too wide`);
  }
  await page.screenshot({ path: join(ROOT, 'test-results', 'newsletter-phone.png'), fullPage: true });
});

test("the links of the message lead to the newsletter's targets, and the pixel is an image", async () => {
  const hrefs = [...String(mail.html).matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  const toHere = (link: string) => link.replace(app.app.platform.publicUrl(), app.url);
  const tracked = hrefs.find((href) => href.includes('/t/')) ?? '';
  const answer = await fetch(toHere(tracked), { redirect: 'manual' });
  assert.equal(answer.headers.get('location'), 'https://shop.example/spring?utm_source=news&who=Zo%C3%AB');
  const unsubscribe = hrefs.find((href) => href.includes('/u/')) ?? '';
  assert.equal((await fetch(toHere(unsubscribe))).status, 200);
  const pixel = /<img[^>]+src="([^"]+\/t\/[^"]+)"/.exec(String(mail.html))?.[1] ?? '';
  assert.match((await fetch(toHere(pixel))).headers.get('content-type') ?? '', /^image\//);
});
