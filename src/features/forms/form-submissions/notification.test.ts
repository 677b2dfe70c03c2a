import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMailTenant, type MailTenant, waitUntilEnded } from '../../../../test/harness/mail.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { createForm, formBody, goodAnswers, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createMailTenant(app);

const newAddress = () => `n${randomUUID().slice(0, 8)}@example.com`;

/** Waits for `count` mails to an address; returns them. */
function mailsTo(address: string, count = 1) {
  return eventually('the mail', async () => {
    const { results } = (await app.admin.get(`/admin/outbox?to=${address}`)).body;
    if (results.length < count) return null;
    return Promise.all(
      results.map(async ({ id }: { id: string }) => (await app.admin.get(`/admin/outbox/${id}`)).body),
    );
  });
}

const read = async ({ api }: Pick<MailTenant, 'api'>, id: string) =>
  (await api.get(`/api/form_submissions/${id}`)).body;

test('each submission is mailed to the addresses of its form, with answers by question', async () => {
  const emails = [newAddress(), newAddress()];
  const form = await createForm(tenant.api, { name: 'Visitors', notify: { emails } });
  assert.deepEqual((await tenant.api.get(`/api/forms/${form}`)).body.notify, { emails });
  const id = await submit(tenant.api, form);
  for (const email of emails) {
    const [mail] = await mailsTo(email);
    assert.equal(mail.subject, 'New submission: Visitors');
    assert.equal(mail.from, `no-reply@${tenant.domain}`);
    assert.match(mail.text, /^Your name: Ada Lovelace\nYour email: ada@example\.com\nSatisfied\?: yes\n/);
    assert.match(mail.text, /Topics: speed, service\nCountry: de/);
    assert.match(mail.text, new RegExp(`From: ada@example\\.com[^]*Submission: ${id}`));
    assert.match(mail.html, /Ada Lovelace/);
    assert.equal(mail.headers['reply-to'], undefined);
    assert.equal(mail.headers['list-unsubscribe'], undefined);
  }
  const { events } = await read(tenant, id);
  assert.deepEqual(
    events.map(({ type, isError }: { type: string; isError: boolean }) => [type, isError]),
    [
      ['received', false],
      ['notification', false],
    ],
  );
  const transmission = await waitUntilEnded(tenant, id);
  assert.deepEqual([transmission.state, transmission.counts.delivered], ['completed', 2]);
});

test("a visitor's submission is mailed too, and replies may go to the visitor", async () => {
  const email = newAddress();
  const form = await createForm(tenant.api, { notify: { emails: [email], reply_to_respondent: true } });
  const { public_code } = (await tenant.api.get(`/api/forms/${form}`)).body;
  const body = { email_address: 'grace@example.com', form_data: goodAnswers };
  const keyed: Record<string, string> = { 'idempotency-key': randomUUID() };
  for (const headers of [{}, keyed])
    await app.anonymous.post(`/embed/${public_code}/submissions`, body, 200, { headers });
  for (const mail of await mailsTo(email, 2)) assert.equal(mail.headers['reply-to'], 'grace@example.com');
});

test('the mail is from the first sender identity, with its reply-to address', async () => {
  const own = await createMailTenant(app);
  const identity = { from_name: 'Shop', nickname: 'shop', reply_to: 'help@shop.test' };
  await own.api.put('/api/email_settings', {
    sender_identities: [{ ...identity, from_email_address: `forms@${own.domain}` }],
    whitelist_recipient_rules: [],
    subscription_types: [],
    subscriber_additional_fields: {},
  });
  const email = newAddress();
  await submit(own.api, await createForm(own.api, { notify: { emails: [email] } }));
  const [mail] = await mailsTo(email);
  assert.equal(mail.from, `forms@${own.domain}`);
  assert.equal(mail.headers['reply-to'], 'help@shop.test');
});

test('a form cannot request mail without a sender', async () => {
  const { api } = await app.createTenant();
  const notify = { emails: [newAddress()] };
  const refused = (await api.post('/api/forms', formBody({ notify }), 422)).body;
  assert.deepEqual([refused.code, refused.issues[0].field], ['VALIDATION_ERROR', 'notify']);
  const form = await createForm(api);
  await api.put(`/api/forms/${form}`, formBody({ notify }), 422);
  await api.put(`/api/forms/${form}`, formBody({ notify: null }));
});

test('a submission is accepted after the sender was removed, and reports that no mail was sent', async () => {
  const own = await createMailTenant(app);
  const form = await createForm(own.api, { notify: { emails: [newAddress()] } });
  await own.api.delete(`/api/email_settings/sending_domains/${own.domain}`);
  const id = await submit(own.api, form);
  const { events } = await read(own, id);
  assert.deepEqual([events[1].type, events[1].isError], ['notification', true]);
  await own.api.get(`/api/transmissions/${id}`, 404);
});

test('a rejected submission sends nothing', async () => {
  const email = newAddress();
  const form = await createForm(tenant.api, { notify: { emails: [email] } });
  const body = { form_code: form, email_address: 'ada@example.com', form_data: {} };
  await tenant.api.post('/api/form_submissions', body, 400);
  await submit(tenant.api, form);
  assert.equal((await mailsTo(email)).length, 1);
});

test('answers and names are text in the mail, whatever they contain', async () => {
  const email = newAddress();
  const hostile = '<script>alert(1)</script>{{snippet "x"}}{{{email}}}\r\nBcc: victim@example.com';
  const form = await createForm(tenant.api, {
    name: `Form\r\nBcc: x@y.test ${hostile}`,
    notify: { emails: [email] },
  });
  await submit(tenant.api, form, { ...goodAnswers, full_name: hostile });
  const [mail] = await mailsTo(email);
  assert.doesNotMatch(mail.html, /<script/);
  assert.match(mail.html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;\{\{snippet &quot;x&quot;\}\}/);
  assert.match(mail.text, /Your name: <script>alert\(1\)<\/script>\{\{snippet "x"\}\}\{\{\{email\}\}\}/);
  assert.equal(mail.headers.bcc, undefined);
  assert.match(mail.subject, /^New submission: Form Bcc: x@y\.test/);
});

test('a mail contains the names of files, the start of long answers, and no more than its limit', async () => {
  const email = newAddress();
  const elements = [
    { type: 'file', name: 'cv', title: 'CV', storeDataAsText: true },
    ...Array.from({ length: 40 }, (_, n) => ({
      type: 'comment',
      name: `c${n}`,
      title: { default: `C ${n}` },
    })),
  ];
  const formBuilderOptions = { pages: [{ name: 'p', elements }] };
  const form = await createForm(tenant.api, { formBuilderOptions, notify: { emails: [email] } });
  const content = `data:text/plain;base64,${Buffer.from('x'.repeat(5000)).toString('base64')}`;
  const comments = elements.slice(1).map(({ name }) => [name, `${name} ${'y'.repeat(9000)}`]);
  await submit(tenant.api, form, {
    cv: [{ name: 'cv.txt', type: 'text/plain', content }],
    ...Object.fromEntries(comments),
  });
  const [mail] = await mailsTo(email);
  assert.match(mail.text, /^CV: cv\.txt\nC 0: c0 y+…\n/);
  assert.doesNotMatch(mail.text, /base64|C 39:/);
  assert.match(mail.text, /The submission has the other answers/);
  assert.ok(mail.text.length < 110_000);
});

for (const [what, notify, field] of [
  ['no address', { emails: [] }, 'notify.emails'],
  ['too many addresses', { emails: Array.from({ length: 21 }, newAddress) }, 'notify.emails'],
  ['what is no address', { emails: ['ada@example.com', 'nobody'] }, 'notify.emails[1]'],
  ['no list', { emails: 'ada@example.com' }, 'notify.emails'],
  [
    'an answer to nothing',
    { emails: ['ada@example.com'], reply_to_respondent: 'yes' },
    'notify.reply_to_respondent',
  ],
] as const) {
  test(`a form with ${what} to notify is rejected, naming ${field}`, async () => {
    const { body } = await tenant.api.post('/api/forms', formBody({ notify }), 400);
    assert.deepEqual([body.code, body.issues[0].field], ['INVALID_REQUEST', field]);
  });
}

test('an erasure also removes the mail about a submission', async () => {
  const email = newAddress();
  const form = await createForm(tenant.api, { notify: { emails: [email] } });
  const address = newAddress();
  const body = { form_code: form, email_address: address, form_data: goodAnswers };
  const { submission_id } = (await tenant.api.post('/api/form_submissions', body)).body;
  await submit(tenant.api, form);
  await waitUntilEnded(tenant, submission_id);
  await mailsTo(email, 2);
  await tenant.api.post('/api/form_submissions/erase', { email_address: address });
  await tenant.api.get(`/api/transmissions/${submission_id}`, 404);
  const left = await mailsTo(email);
  assert.equal(left.length, 1);
  assert.ok(!left[0].text.includes(address));
});
