import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { ParsedMail } from 'mailparser';
import { createMailTenant, type MailTenant, mailsTo } from '../../../../../test/harness/mail.ts';
import { createUnit } from '../../../../../test/harness/members.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { createForm, formBody, goodAnswers } from '../../../../../test/harness/sample-forms.ts';
import { createSubscriber, getSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startOwnApp } from '../../../../../test/harness/test-app.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How far the app's clock is ahead, in ms. */
let ahead = 0;
const relay = await startRelay();
const app = await startOwnApp({ SMTP_URL: relay.url }, { clock: () => new Date(Date.now() + ahead) });
const tenant = await createMailTenant(app);
await tenant.api.put('/api/email_settings', {
  sender_identities: [],
  whitelist_recipient_rules: [],
  subscription_types: [{ id: 'news', name: 'News', description: '', active: true }],
  subscriber_additional_fields: {},
});
const list: string = (await tenant.api.post('/api/lists', { name: 'Newsletter' })).body.id;
const mapping = { enabled: true, lists: [list], subscription_type_ids: ['news'], double_opt_in: true };
const form = await createForm(tenant.api, { subscriber_mapping: mapping });

const newAddress = () => `c${randomUUID().slice(0, 8)}@example.com`;

type Api = Pick<MailTenant, 'api'>;

/** Submits a form and returns the submission. */
async function submit(address: string, formCode = form, { api }: Api = tenant) {
  const body = { form_code: formCode, email_address: address, form_data: goodAnswers };
  const { submission_id } = (await api.post('/api/form_submissions', body)).body;
  return (await api.get(`/api/form_submissions/${submission_id}`)).body;
}

/** Returns the only subscriber with an address. */
async function personAt(address: string, { api }: Api = tenant) {
  const filters = { email: { operation: 'eq', value: address } };
  const { results } = (await api.post('/api/subscribers/list', { page: 1, limit: 10, filters })).body;
  assert.equal(results.length, 1);
  return results[0];
}

/** Waits for `count` mails to an address; returns the newest and its link. */
async function askedBy(address: string, count = 1): Promise<{ mail: ParsedMail; link: string }> {
  const mail = await eventually('the mail', async () => (await mailsTo(relay, address))[count - 1]);
  const [url = ''] = /https?:\S+\/confirm\/[\w.-]+/.exec(String(mail.html)) ?? [];
  return { mail, link: new URL(url).pathname };
}

const stateOf = ({ active, inactive_reason }: { active: boolean; inactive_reason: string | null }) => [
  active,
  inactive_reason,
];

const countReachable = async (): Promise<number> => {
  const payload = { queryName: 'getSubscribersCountByListIds', vars: { listIds: [list] } };
  const { body } = await tenant.api.post('/api/subscribers/search', { payload });
  return body.subscribersCountByListId[list];
};

/** Returns the submission's status of the mail. */
const mailStep = ({ events }: { events: readonly { type: string; message: string; isError: boolean }[] }) =>
  events.find(({ type }) => type === 'confirmation');

async function createTemplate(version: object, { api, domain }: MailTenant = tenant): Promise<string> {
  const body = { name: `T ${randomUUID()}`, from_email: `hello@${domain}`, transactional: true };
  const { id } = (await api.post('/api/templates', body)).body;
  await api.post(`/api/templates/${id}/versions`, { active: true, subject: 'Really?', ...version });
  return id;
}

test('a new subscriber is inactive until the link in the mail is confirmed', async () => {
  const address = newAddress();
  const before = await countReachable();
  const submission = await submit(address);
  assert.equal(submission.subscriber_created, true);
  const subscriber = await personAt(address);
  assert.deepEqual(stateOf(subscriber), [false, 'unconfirmed']);
  assert.deepEqual(subscriber.lists, [list]);
  const { mail, link } = await askedBy(address);
  assert.match(mailStep(submission)?.message ?? '', /transmission [0-9a-f-]{36}/);
  assert.equal(mail.subject, `Please confirm your subscription to Tenant ${tenant.code}`);
  assert.equal(mail.from?.text, `no-reply@${tenant.domain}`);
  assert.ok(mail.text?.includes(`${app.app.platform.publicUrl()}${link}`));
  assert.equal(mail.headers.has('list'), false);
  for (const _time of [1, 2]) {
    const page = await app.anonymous.get(link);
    assert.match(page.text, /<h1>Confirm your subscription\?<\/h1>/);
    assert.ok(!page.text.includes(address), 'the whole address is not shown');
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  }
  await app.anonymous.send('HEAD', link);
  assert.deepEqual(stateOf(await personAt(address)), [false, 'unconfirmed']);
  assert.equal(await countReachable(), before);
  for (const _time of [1, 2]) {
    const page = await app.anonymous.send('POST', link);
    assert.deepEqual([page.status, /is confirmed<\/h1>/.test(page.text)], [200, true]);
  }
  const confirmed = await getSubscriber(tenant, subscriber.id);
  assert.deepEqual([...stateOf(confirmed), confirmed.version], [true, null, 2]);
  assert.equal(await countReachable(), before + 1);
  assert.match((await app.anonymous.get(link)).text, /is confirmed<\/h1>/);
});

test("the mail does not contain the visitor's input", async () => {
  const address = newAddress();
  const otherForm = await createForm(tenant.api, {
    subscriber_mapping: { ...mapping, first_name: 'full_name' },
  });
  await submit(address, otherForm);
  const { mail } = await askedBy(address);
  assert.ok(!`${mail.subject}${mail.html}${mail.text}`.includes('Ada'));
});

test('an unsubscribe is lifted by the confirmation, not by entering the address', async () => {
  const address = newAddress();
  const path = `/api/email_settings/suppressions`;
  await tenant.api.post(path, { recipient: address, type: 'unsubscribe', description: '' });
  await submit(address);
  const { link } = await askedBy(address);
  await tenant.api.get(`${path}/list/${address}`);
  await app.anonymous.post(link, undefined);
  await tenant.api.get(`${path}/list/${address}`, 404);
});

test('an address gets one mail an hour, with any number of concurrent submissions and forms', async () => {
  const address = newAddress();
  const others = await Promise.all(
    Array.from({ length: 3 }, () => createForm(tenant.api, { subscriber_mapping: mapping })),
  );
  const submitted = await Promise.all(
    Array.from({ length: 12 }, (_, n) => submit(address, others[n % others.length])),
  );
  const accepted = submitted.filter((each) => /accepted/.test(mailStep(each)?.message ?? ''));
  assert.equal(accepted.length, 1);
  await askedBy(address);
  ahead += 59 * MINUTE_MS;
  assert.match(mailStep(await submit(address.toUpperCase()))?.message ?? '', /within the last hour/);
  ahead += 2 * MINUTE_MS;
  assert.match(mailStep(await submit(address))?.message ?? '', /accepted/);
  const { link } = await askedBy(address, 2);
  assert.equal((await mailsTo(relay, address)).length, 2);
  await app.anonymous.post(link, undefined);
  ahead += 2 * 60 * MINUTE_MS;
  assert.equal(mailStep(await submit(address)), undefined);
  assert.deepEqual(stateOf(await personAt(address)), [true, null]);
});

test('an address in two units gets one mail an hour', async () => {
  const address = newAddress();
  const unit = await createUnit(tenant, `North ${randomUUID()}`);
  const north = await createForm(tenant.api, { business_unit: unit, subscriber_mapping: mapping });
  assert.match(mailStep(await submit(address))?.message ?? '', /accepted/);
  assert.match(mailStep(await submit(address, north))?.message ?? '', /within the last hour/);
});

test('an existing subscriber gets no confirmation mail', async () => {
  const address = newAddress();
  const inactive = newAddress();
  const reason = { active: false, inactive_reason: 'asked by phone' };
  const { id } = await createSubscriber(tenant, { email: address });
  await createSubscriber(tenant, { email: inactive, ...reason });
  for (const each of [address, inactive]) assert.equal(mailStep(await submit(each)), undefined);
  const subscriber = await getSubscriber(tenant, id);
  assert.deepEqual([...stateOf(subscriber), subscriber.lists], [true, null, [list]]);
});

test('a link is valid for seven days, for the address it was mailed to, until another choice is made', async () => {
  const [late, moved, stopped, erased] = [newAddress(), newAddress(), newAddress(), newAddress()];
  const links = new Map<string, string>();
  for (const address of [late, moved, stopped, erased]) {
    await submit(address);
    links.set(address, (await askedBy(address)).link);
  }
  const isRefused = async (address: string) => {
    for (const method of ['GET', 'POST']) {
      const answer = await app.anonymous.send(method, links.get(address) ?? '');
      assert.equal(answer.status, 404, `${method} of ${address}`);
      assert.match(answer.text, /<h1>This link is not valid<\/h1>/);
    }
  };
  const change = async (address: string, more: object) => {
    const { id, ...subscriber } = await personAt(address);
    await tenant.api.put(`/api/subscribers/${id}`, { ...subscriber, ...more });
  };
  await change(moved, { email: newAddress() });
  await change(stopped, { inactive_reason: 'asked by phone' });
  await tenant.api.delete(`/api/subscribers/${(await personAt(erased)).id}`);
  for (const address of [moved, stopped, erased]) await isRefused(address);
  const [payload = '', mac = ''] = (links.get(late) ?? '').split('.');
  links.set('altered', `${payload}x.${mac}`);
  await isRefused('altered');
  ahead += 7 * DAY_MS - MINUTE_MS;
  await app.anonymous.get(links.get(late) ?? '');
  ahead += MINUTE_MS;
  await isRefused(late);
  assert.deepEqual(stateOf(await personAt(late)), [false, 'unconfirmed']);
});

test("the form's template is used; when it can no longer be sent, the built-in text is used", async () => {
  const version = { html_content: '<p>Hi {{address.email}} <a href="{{confirm_url}}">yes</a></p>' };
  const id = await createTemplate(version);
  const own = { ...mapping, double_opt_in_template_id: id };
  const formCode = await createForm(tenant.api, { subscriber_mapping: own });
  const [first, second] = [newAddress(), newAddress()];
  await submit(first, formCode);
  const { mail, link } = await askedBy(first);
  assert.deepEqual([mail.subject, mail.from?.text], ['Really?', `hello@${tenant.domain}`]);
  assert.match(String(mail.html), new RegExp(`Hi ${first} <a href="http`));
  await app.anonymous.post(link, undefined);
  assert.deepEqual(stateOf(await personAt(first)), [true, null]);
  await tenant.api.delete(`/api/templates/${id}`);
  await submit(second, formCode);
  assert.match((await askedBy(second)).mail.subject ?? '', /^Please confirm/);
});

for (const [what, version] of [
  ['does not lead to the page', { html_content: '<p>Hi</p>', plain_content: '{{confirm_url}}' }],
  ['needs what the mail does not have', { html_content: '{{confirm_url}} {{subscriber.first_name}}' }],
  ['has no active version', { html_content: '{{confirm_url}}', active: false }],
] as const) {
  test(`a form cannot reference a template that ${what}`, async () => {
    const id = await createTemplate(version);
    const subscriber_mapping = { ...mapping, double_opt_in_template_id: id };
    for (const { body } of [
      await tenant.api.post('/api/forms', formBody({ subscriber_mapping }), 422),
      await tenant.api.put(`/api/forms/${form}`, formBody({ subscriber_mapping }), 422),
    ]) {
      const [issue] = body.issues;
      assert.deepEqual(
        [body.code, issue.field],
        ['VALIDATION_ERROR', 'subscriber_mapping.double_opt_in_template_id'],
      );
    }
  });
}

test('a form cannot reference an unknown template, or one of another tenant', async () => {
  const other = await createMailTenant(app);
  const foreign = await createTemplate({ html_content: '{{confirm_url}}' }, other);
  for (const id of [randomUUID(), 'nonsense', foreign]) {
    const subscriber_mapping = { ...mapping, double_opt_in_template_id: id };
    await tenant.api.post('/api/forms', formBody({ subscriber_mapping }), 422);
  }
});

test('a submission is accepted when the mail cannot be sent, and a later one is mailed', async () => {
  const own = await createMailTenant(app);
  const path = `/api/email_settings/sending_domains/${own.domain}`;
  const formCode = await createForm(own.api, { subscriber_mapping: { enabled: true, double_opt_in: true } });
  await own.api.delete(path);
  const address = newAddress();
  const step = mailStep(await submit(address, formCode, own));
  assert.deepEqual(
    [step?.isError, step?.message],
    [true, 'No mail was sent: the tenant has no default sender. Verify a sending domain first.'],
  );
  assert.deepEqual(stateOf(await personAt(address, own)), [false, 'unconfirmed']);
  const domain = { domain: own.domain, verified: true };
  await app.admin.post(`/admin/tenants/${own.code}/sending-domains`, domain);
  assert.match(mailStep(await submit(address, formCode, own))?.message ?? '', /accepted/);
});

test('erasing a subscriber deletes the time of its confirmation mail and invalidates its link', async () => {
  const address = newAddress();
  await submit(address);
  const { link } = await askedBy(address);
  const { id } = await personAt(address);
  await tenant.api.delete(`/api/subscribers/${id}`);
  const { query } = app.app.platform.database.everyTenant('tests');
  const mails = await query
    .selectFrom('confirmation_mails')
    .selectAll()
    .where('address_key', '=', address)
    .execute();
  assert.deepEqual(mails, []);
  const messages = await query
    .selectFrom('email_messages')
    .select('substitution_data')
    .where('tenant_id', '=', tenant.tenantId)
    .execute();
  assert.ok(!JSON.stringify(messages).includes(link));
});

test("the mail and the page use the visitor's language", async () => {
  const address = newAddress();
  const body = { form_code: form, email_address: address, form_data: goodAnswers };
  await tenant.api.post('/api/form_submissions', body, 200, { headers: { 'accept-language': 'de' } });
  const { mail, link } = await askedBy(address);
  assert.match(String(mail.subject), /^Bitte bestätigen Sie Ihre Anmeldung bei /);
  assert.match(String(mail.html), /<html lang="de" dir="ltr">/);
  assert.match(String(mail.text), /sieben Tage/);
  const page = await app.anonymous.get(link, 200, { headers: { 'accept-language': 'pl' } });
  assert.match(page.text, /Potwierdzić subskrypcję\?/);
});
