import assert from 'node:assert/strict';
import test from 'node:test';
import { simpleParser } from 'mailparser';
import { verifyDkim } from '../../../../../test/harness/dkim-verifier.ts';
import {
  createMailTenant,
  mailsTo,
  makeMessageDue,
  readRecipientHistory,
  sendAndWait,
  stepsOf,
  transmissionBody,
} from '../../../../../test/harness/mail.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../../test/harness/receiver.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';
import { parseBounceAddress } from '../../../../mail/verp.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const { api, domain } = tenant;
const from = `Shop <shop@${domain}>`;
const marketing = { transactional: false };
/** Default of the tests, which the environment can override. */
const CONNECTIONS = 5;

/** Returns a unique address. */
let addressCount = 0;
function newAddress(): string {
  addressCount += 1;
  return `person${addressCount}@example.com`;
}

async function mailTo(address: string) {
  const [mail] = await mailsTo(relay, address);
  assert.ok(mail, `a mail to ${address}`);
  return mail;
}

const historyOf = (id: string, address: string) => readRecipientHistory(api, id, address);

test('a message has its headers, is signed, and bounces to its own address', async () => {
  const address = newAddress();
  const recipients = [{ address: { email: address, name: 'Ada Lovelace' } }];
  const content = {
    from,
    subject: 'Hello {{name}}',
    html: '<p>Hi {{name}}</p>',
    reply_to: 'help@example.com',
  };
  const { id } = await sendAndWait(tenant, { recipients, content, substitution_data: { name: 'Zoë & co' } });
  const mail = await mailTo(address);
  const { message_id, steps, ...history } = await historyOf(id, address);
  assert.equal(mail.subject, 'Hello Zoë & co');
  assert.match(String(mail.html), /<p>Hi Zoë &amp; co<\/p>/);
  assert.match(String(mail.text), /Hi Zoë & co/);
  assert.equal(mail.from?.text, `"Shop" <shop@${domain}>`);
  assert.deepEqual(mail.to, { ...mail.to, text: `"Ada Lovelace" <${address}>` });
  assert.equal(mail.replyTo?.text, 'help@example.com');
  assert.equal(mail.messageId, `<${message_id}@${domain}>`);
  assert.equal(mail.headers.get('x-tessera-message'), message_id);
  const sent = relay.messages.find(({ rcptTo }) => rcptTo.includes(address));
  assert.ok(sent);
  assert.match(sent.mailFrom, new RegExp(`^bounce\\+.*@bounces\\.${domain}$`));
  const bounced = parseBounceAddress(app.app.platform, sent.mailFrom);
  assert.deepEqual(bounced, { tenantId: tenant.tenantId, messageId: message_id });
  assert.deepEqual(history, { status: 'sent', error: null, attempts: 1, next_attempt_at: null });
  assert.deepEqual(
    steps.map(({ step }) => step),
    ['accepted', 'rendered', 'handed_over'],
  );
  assert.match(steps[2]?.detail ?? '', /^250 /);
  const signature = verifyDkim(sent.raw, await publishedKey());
  assert.equal(signature.domain, domain);
  assert.ok(signature.signedFields.includes('x-tessera-message'));
});

/** The public key, as in the DNS record to publish. */
async function publishedKey(): Promise<string> {
  const { body: domains } = await api.get('/api/email_settings/sending_domains');
  const [{ dns_records: records }] = domains;
  const values = records.map(({ value }: { value: string }) => value);
  const dkim = values.find((value: string) => value.startsWith('v=DKIM1'));
  return `-----BEGIN PUBLIC KEY-----\n${/p=([^;\s]+)/.exec(dkim)?.[1]}\n-----END PUBLIC KEY-----`;
}

test('only non-transactional mail has the pair of unsubscribe headers', async () => {
  const [one, other] = [newAddress(), newAddress()];
  await sendAndWait(tenant, { recipients: [{ address: one }], options: marketing });
  await sendAndWait(tenant, { recipients: [{ address: other }] });
  const lines = new Map(
    (await mailTo(one)).headerLines.map(({ key, line }) => [key, line.replace(/\s+/g, ' ')]),
  );
  const url = app.app.platform.publicUrl();
  assert.match(
    lines.get('list-unsubscribe') ?? '',
    new RegExp(`^List-Unsubscribe: <${url}/u/[^>]+>, <mailto:[^>]+>$`),
  );
  assert.equal(lines.get('list-unsubscribe-post'), 'List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const transactional = await mailTo(other);
  assert.equal(transactional.headers.get('list-unsubscribe-post'), undefined);
  assert.equal(transactional.headers.get('list'), undefined);
});

test('data is merged by key from four levels, and callers cannot override the address', async () => {
  const address = newAddress();
  const html = '{{a}}{{b}}{{c}}{{d}} {{address.email}} {{address.name}} {{nested.x}}';
  await sendAndWait(tenant, {
    content: { from, subject: 'S', html },
    metadata: { a: 1, b: 1, c: 1, d: 1, nested: { x: 'low', y: 1 } },
    substitution_data: { b: 2, c: 2, d: 2, address: { email: 'forged@example.com' } },
    recipients: [
      {
        address: { email: address, name: 'Ada' },
        metadata: { c: 3, d: 3, nested: { x: 'high' } },
        substitution_data: { d: 4 },
      },
    ],
  });
  assert.match(String((await mailTo(address)).html), new RegExp(`1234 ${address} Ada high`));
});

test('a rendering error for one recipient fails only that message, and its history names the position', async () => {
  const [good, bad] = [newAddress(), newAddress()];
  const { id, state, counts } = await sendAndWait(tenant, {
    content: { from, subject: 'S', html: '<p>Hi\n  {{name}}</p>' },
    recipients: [{ address: bad }, { address: good, substitution_data: { name: 'Ada' } }],
  });
  assert.equal(state, 'completed');
  assert.deepEqual([counts.failed, counts.sent], [1, 1]);
  const history = await historyOf(id, bad);
  assert.equal(history.status, 'failed');
  assert.match(history.error ?? '', /name/);
  assert.equal(stepsOf(history), 'accepted render_failed');
  assert.deepEqual(history.steps[1], {
    ...history.steps[1],
    part: 'html',
    variable: 'name',
    line: 2,
    column: 5,
  });
  assert.deepEqual(await mailsTo(relay, bad), []);
  assert.equal((await mailsTo(relay, good)).length, 1);
});

test('an error that quotes half a character is recorded and delays no other message', async () => {
  const [good, bad] = [newAddress(), newAddress()];
  const when = `${'x'.repeat(39)}😀`.padEnd(50, 'x');
  const { id, counts } = await sendAndWait(tenant, {
    content: { from, subject: '{{formatDate when "YYYY"}}', html: 'x' },
    recipients: [
      { address: bad, substitution_data: { when } },
      { address: good, substitution_data: { when: '2030-01-02' } },
    ],
  });
  assert.deepEqual([counts.failed, counts.sent], [1, 1]);
  assert.match((await historyOf(id, bad)).error ?? '', /not "x{39}\ufffd…"/);
});

test('content without substitutions is sent unchanged', async () => {
  const address = newAddress();
  const options = { transactional: true, perform_substitutions: false };
  const html = '<p>{{name}} {{{snippet x}}} & {{#if</p>';
  const content = { from, subject: '{{hello}} & you', html, text: '{{name}} <plain>' };
  await sendAndWait(tenant, { options, content, recipients: [{ address }] });
  const mail = await mailTo(address);
  assert.equal(mail.subject, '{{hello}} & you');
  assert.equal(String(mail.html).trim(), html);
  assert.equal(mail.text?.trim(), '{{name}} <plain>');
});

test('in the sandbox the sender is at the sandbox domain', async () => {
  const address = newAddress();
  const content = { from: 'Test <test@elsewhere.example>', subject: 'S', html: 'x' };
  const options = { transactional: true, sandbox: true };
  await sendAndWait(tenant, { options, content, recipients: [{ address }] });
  assert.equal((await mailTo(address)).from?.text, '"Test" <test@sandbox.localhost>');
});

test('the visible To is header_to, and the mail is sent to the address', async () => {
  const address = newAddress();
  const recipients = [{ address: { email: address, name: 'Ada', header_to: 'ada@elsewhere.example' } }];
  await sendAndWait(tenant, { recipients });
  const { to } = await mailTo(address);
  assert.deepEqual(to, { ...to, text: '"Ada" <ada@elsewhere.example>' });
});

test('a return path sets the domain and the prefix of the envelope sender', async () => {
  const address = newAddress();
  await sendAndWait(tenant, { return_path: `news@${domain}`, recipients: [{ address }] });
  const mailFrom = relay.messages.find(({ rcptTo }) => rcptTo.includes(address))?.mailFrom ?? '';
  assert.match(mailFrom, new RegExp(`^news\\+[^@]+@${domain}$`));
  assert.ok(parseBounceAddress(app.app.platform, mailFrom));
});

test('tracking is set by the request, else the template, else off', async () => {
  const [byDefault, byTemplate, byRequest] = [newAddress(), newAddress(), newAddress()];
  const html = '<p><a href="https://example.com/x">x</a></p>';
  const pixel = /<img[^>]+\/t\//;
  await sendAndWait(tenant, { content: { from, subject: 'S', html }, recipients: [{ address: byDefault }] });
  const tracking = { open_tracking: true, click_tracking: true };
  const template = { name: 'T', from_email: `shop@${domain}`, from_name: 'Shop', transactional: true };
  const { id } = (await api.post('/api/templates', { ...template, ...tracking })).body;
  await api.post(`/api/templates/${id}/versions`, { active: true, subject: 'S', html_content: html });
  const content = { template_id: id };
  await sendAndWait(tenant, { content, recipients: [{ address: byTemplate }] });
  const off = { transactional: true, open_tracking: false, click_tracking: false, initial_open: true };
  await sendAndWait(tenant, { content, options: off, recipients: [{ address: byRequest }] });
  const [plain, tracked, unasked] = await Promise.all(
    [byDefault, byTemplate, byRequest].map(async (address) => String((await mailTo(address)).html)),
  );
  assert.doesNotMatch(plain ?? '', pixel);
  assert.match(plain ?? '', /https:\/\/example\.com\/x/);
  assert.match(tracked ?? '', pixel);
  assert.doesNotMatch(tracked ?? '', /https:\/\/example\.com\/x/);
  assert.doesNotMatch(unasked ?? '', pixel);
  assert.match(unasked ?? '', /https:\/\/example\.com\/x/);
});

test('the version and snippets that were active at acceptance are sent, even if replaced since', async () => {
  const address = newAddress();
  const template = { name: 'T', from_email: `shop@${domain}`, transactional: true };
  const { id } = (await api.post('/api/templates', template)).body;
  const snippet = (await api.post('/api/template_snippets', { name: 'greeting', content: 'old snippet' }))
    .body.id;
  const version = (html_content: string) => ({ active: true, subject: 'S', html_content });
  await api.post(`/api/templates/${id}/versions`, version('old version {{{snippet greeting}}}'));
  const date = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
  const options = { transactional: true, scheduled_time: { date, timezone: 'UTC' } };
  const body = transmissionBody(tenant, { options, content: { template_id: id }, recipients: [{ address }] });
  const { transactionId } = (await api.post('/api/transmissions', body)).body;
  await api.post(`/api/templates/${id}/versions`, version('new version'));
  await api.put(`/api/template_snippets/${snippet}`, { name: 'greeting', content: 'new snippet' });
  await makeMessageDue(app.app.platform, (await historyOf(transactionId, address)).message_id);
  await eventually('the scheduled mail', async () => (await mailsTo(relay, address)).length > 0);
  assert.match(String((await mailTo(address)).html), /old version old snippet/);
  await eventually('the hand-over in the history', async () =>
    Boolean((await historyOf(transactionId, address)).steps[2]?.at),
  );
});

test('attachments come from a URL, fetched once, or from the request', async () => {
  const files = await startReceiver();
  const bytes = Buffer.from([0, 255, 254, 13, 10, 0, 200]);
  files.answer = (_request, response) => response.end(bytes);
  const recipients = [{ address: newAddress() }, { address: newAddress() }, { address: newAddress() }];
  const attachments = [
    { name: 'far.bin', type: 'application/octet-stream', url: `${files.url}/far` },
    { name: 'near.txt', type: 'text/plain', data: Buffer.from('near').toString('base64') },
  ];
  await sendAndWait(tenant, { recipients, content: { from, subject: 'S', html: 'x', attachments } });
  assert.equal(files.received.length, 1);
  for (const { address } of recipients) {
    const [far, near] = (await mailTo(address)).attachments;
    assert.deepEqual([far?.filename, far?.content], ['far.bin', bytes]);
    assert.deepEqual([near?.filename, near?.content.toString()], ['near.txt', 'near']);
  }
});

test('no attachment is fetched if all recipients are suppressed', async () => {
  const files = await startReceiver();
  const address = newAddress();
  relay.onRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
  await sendAndWait(tenant, { recipients: [{ address }] });
  relay.onRecipient = () => null;
  const attachments = [{ name: 'far.bin', type: 'text/plain', url: files.url }];
  const content = { from, subject: 'S', html: 'x', attachments };
  const { counts } = await sendAndWait(tenant, { recipients: [{ address }], content });
  assert.equal(counts.suppressed, 1);
  assert.equal(files.received.length, 0);
});

test('an attachment that cannot be fetched in three attempts fails every message with that error', async () => {
  const files = await startReceiver();
  files.answer = (_request, response) => {
    response.statusCode = 503;
    response.end();
  };
  const recipients = [{ address: newAddress() }, { address: newAddress() }];
  const attachments = [{ name: 'far.bin', type: 'text/plain', url: files.url }];
  const content = { from, subject: 'S', html: 'x', attachments };
  const { id, state, counts } = await sendAndWait(tenant, { recipients, content });
  assert.equal(files.received.length, 3);
  assert.equal(state, 'failed');
  assert.equal(counts.failed, 2);
  const history = await historyOf(id, recipients[0]?.address ?? '');
  assert.match(history.error ?? '', /"far\.bin" could not be fetched: .*503/);
  assert.equal(stepsOf(history), 'accepted rendered failed');
});

test('open, click and bounce events follow the hand-over in the history and count once', async () => {
  const address = newAddress();
  const html = '<p><a href="https://example.com/x">x</a></p>';
  const options = { transactional: true, open_tracking: true, click_tracking: true };
  const { id } = await sendAndWait(tenant, {
    options,
    content: { from, subject: 'S', html },
    recipients: [{ address }],
  });
  const text = String((await mailTo(address)).html);
  const [pixel = '', link = ''] = [/src="([^"]+\/t\/[^"]+)"/, /href="([^"]+\/t\/[^"]+)"/].map(
    (pattern) => pattern.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '',
  );
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  for (const url of [pixel, pixel, link])
    await fetch(url.replace('localhost', '127.0.0.1'), { headers: browser, redirect: 'manual' });
  const { counts } = await eventually('the click', async () => {
    const { body } = await api.get(`/api/transmissions/${id}`);
    return body.counts.clicked === 1 ? body : null;
  });
  assert.equal(counts.opened, 1);
  const history = await historyOf(id, address);
  assert.match(
    stepsOf(history),
    /^accepted rendered handed_over (opened|clicked) (opened|clicked) (opened|clicked)$/,
  );
  assert.equal(history.steps.find(({ step }) => step === 'clicked')?.detail, 'https://example.com/x');
});

/** True if a worker has claimed the message of a transmission. */
async function isClaimed(transmissionId: string): Promise<boolean> {
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  const { due_at } = await everyTenant
    .selectFrom('email_messages')
    .select('due_at')
    .where('transmission_id', '=', transmissionId)
    .executeTakeFirstOrThrow();
  return new Date(due_at).getTime() > Date.now() + 1000;
}

test('in sandbox mode only whitelisted recipients get mail, skip_suppression or not', async () => {
  const sandboxed = await createMailTenant(app);
  await sandboxed.api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [{ domain_name: 'friends.example', active: true }],
    subscription_types: [],
    subscriber_additional_fields: {},
    sandbox_mode: true,
  });
  const recipients = [{ address: 'ada@friends.example' }, { address: 'eve@strangers.example' }];
  const options = { transactional: true, skip_suppression: true };
  const { id, counts } = await sendAndWait(sandboxed, { recipients, options });
  assert.deepEqual([counts.sent, counts.suppressed], [1, 1]);
  const { results } = (await sandboxed.api.get(`/api/transmissions/${id}/recipients`)).body;
  assert.deepEqual([results[1].status, results[1].error], ['suppressed', 'sandbox']);
  assert.deepEqual(await mailsTo(relay, 'eve@strangers.example'), []);
});

test('transactional mail overtakes earlier bulk mail', async () => {
  // To several domains, so that it takes every slot.
  const bulk = Array.from({ length: 200 }, (_, n) => ({ address: `bulk${n}@domain${n % 5}.example` }));
  const urgent = newAddress();
  const before = relay.messages.length;
  // The relay answers bulk mail one by one, so that it is in progress until the other mail has arrived.
  const held: ((verdict: null) => void)[] = [];
  relay.onMessage = ({ rcptTo }) =>
    rcptTo.includes(urgent) ? null : new Promise((resolve) => held.push(resolve));
  await api.post('/api/transmissions', transmissionBody(tenant, { recipients: bulk, options: marketing }));
  await eventually('bulk mail on every connection', () => held.length === CONNECTIONS);
  const { body } = await api.post(
    '/api/transmissions',
    transmissionBody(tenant, { recipients: [{ address: urgent }] }),
  );
  await eventually('the urgent mail to be claimed', () => isClaimed(body.transactionId));
  await eventually('the urgent mail', () => {
    held.shift()?.(null);
    return relay.messages.some(({ rcptTo }) => rcptTo.includes(urgent));
  });
  const place = relay.messages.findIndex(({ rcptTo }) => rcptTo.includes(urgent)) - before;
  relay.onMessage = () => null;
  for (const answer of held) answer(null);
  assert.ok(place < 150, `it was number ${place} of 201`);
  await eventually('all bulk mail', () => relay.messages.length === before + 201);
});

test('two recipients of one address get a message each, with a history each', async () => {
  const address = newAddress();
  const { id } = await sendAndWait(tenant, { recipients: [{ address }, { address: address.toUpperCase() }] });
  const { body } = await api.get(`/api/transmissions/${id}/recipients/${address.toUpperCase()}`);
  assert.equal(body.recipient, address);
  assert.equal(body.messages.length, 2);
  assert.equal(
    relay.messages.filter(({ rcptTo }) => rcptTo.some((to) => to.toLowerCase() === address)).length,
    2,
  );
});

test('style elements are inlined on request', async () => {
  const address = newAddress();
  const html = '<html><head><style>p { color: red }</style></head><body><p>x</p></body></html>';
  const options = { transactional: true, inline_css: true };
  await sendAndWait(tenant, { options, content: { from, subject: 'S', html }, recipients: [{ address }] });
  const mail = await simpleParser(
    relay.messages.find(({ rcptTo }) => rcptTo.includes(address))?.raw ?? Buffer.alloc(0),
  );
  assert.match(String(mail.html), /<p style="color: red;?">/);
});
