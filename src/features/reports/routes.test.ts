import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createCampaign, createEmail } from '../../../test/harness/campaigns.ts';
import { createMailTenant, type MailTenant, mailsTo } from '../../../test/harness/mail.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { startRelay } from '../../../test/harness/relay.ts';
import { createForm, goodAnswers, submit } from '../../../test/harness/sample-forms.ts';
import { createSubscriber } from '../../../test/harness/subscribers.ts';
import { startOwnApp, startTestApp } from '../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);

type Api = Pick<MailTenant, 'api'>;

/** Returns the body of an export to a unique address. */
const exportBody = (more: object = {}) => ({
  receiver_email: `r${randomUUID()}@example.com`,
  report_type: 'subscribers',
  output_format: 'csv',
  filters: {},
  ...more,
});

/** Requests an export and waits until it has ended; returns the request and its progress. */
async function exportAndWait({ api }: Api, more: object = {}) {
  const body = exportBody(more);
  const { messageId } = (await api.post('/api/reports/export', body)).body;
  const ended = await eventually('the export to end', async () => {
    const progress = (await api.get(`/api/reports/export/${messageId}`)).body;
    return ['sent', 'failed'].includes(progress.status) ? progress : null;
  });
  return { receiver: body.receiver_email, ended };
}

/** Returns the only mail to an address. */
async function mailTo(address: string) {
  const mails = await mailsTo(relay, address);
  assert.equal(mails.length, 1);
  const [mail] = mails;
  assert.ok(mail);
  return mail;
}

/** Returns the lines of the file in an export's mail. */
async function exported(from: Api, more: object = {}): Promise<string[]> {
  const { receiver, ended } = await exportAndWait(from, more);
  assert.deepEqual([ended.status, ended.error], ['sent', null]);
  const { attachments } = await mailTo(receiver);
  assert.equal(attachments.length, 1);
  const text = String(attachments[0]?.content);
  assert.ok(text.endsWith('\r\n'));
  const lines = text.slice(0, -2).split('\r\n');
  assert.equal(ended.rows, lines.length - 1);
  return lines;
}

const equal = (field: string, value: unknown) => ({ filters: { [field]: { operation: 'eq', value } } });

test('the mail with exported subscribers has a file with their fields and additional fields as columns', async () => {
  const last_name = randomUUID();
  const more = { last_name, lists: [], additional_fields_data: { city: 'Paris', a_b: 7 } };
  const { id, body } = await createSubscriber(tenant, more);
  const { receiver } = await exportAndWait(tenant, equal('last_name', last_name));
  const mail = await mailTo(receiver);
  assert.equal(mail.subject, 'Export of subscribers');
  assert.equal(mail.from?.value[0]?.address, `no-reply@${tenant.domain}`);
  assert.match(String(mail.text), /has 1 rows\.\s+It is attached as subscribers-\d{4}-\d\d-\d\d\.csv/);
  const [file] = mail.attachments;
  assert.ok(file);
  assert.equal(file.contentType, 'text/csv');
  assert.match(String(file.filename), /^subscribers-\d{4}-\d\d-\d\d\.csv$/);
  const [header = '', line = '', ...rest] = String(file.content).split('\r\n');
  assert.deepEqual(rest, ['']);
  const shown = (await tenant.api.get(`/api/subscribers/${id}`)).body;
  assert.equal(
    header,
    'id,first_name,last_name,email,active,inactive_reason,audiences,lists,additional_fields.a_b,additional_fields.city,' +
      'subscription_preferences,business_unit,version,created_at,updated_at',
  );
  assert.equal(
    line,
    `${id},Ada,${last_name},${body.email},true,,[],[],7,Paris,[],${tenant.defaultUnitId},1,${shown.created_at},${shown.updated_at}`,
  );
});

test('submissions have a column for each question, and values other than text are JSON', async () => {
  const form = await createForm(tenant.api);
  const id = await submit(tenant.api, form, { ...goodAnswers, full_name: 'Ada "A", Lovelace\nCountess' });
  const { receiver } = await exportAndWait(tenant, {
    report_type: 'form_submissions',
    ...equal('form_code', form),
  });
  const text = String((await mailTo(receiver)).attachments[0]?.content);
  const [header = ''] = text.split('\r\n');
  assert.match(
    header,
    /^id,version,created_at,updated_at,form_code,form_name,email_address,submission_date,form_data\./,
  );
  assert.match(
    header,
    /,form_data\.full_name,form_data\.email,form_data\.satisfied,form_data\.topics,form_data\.country,subscriber_created,/,
  );
  assert.ok(text.includes(`\r\n${id},1,`));
  assert.ok(text.includes(',"Ada ""A"", Lovelace\nCountess",'));
  assert.ok(text.includes(',"[""speed"",""service""]",'));
});

test('a cell that looks like a formula begins with an apostrophe', async () => {
  const last_name = randomUUID();
  for (const first_name of ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', 'a=1'])
    await createSubscriber(tenant, { last_name, first_name });
  const { receiver } = await exportAndWait(tenant, equal('last_name', last_name));
  const text = String((await mailTo(receiver)).attachments[0]?.content);
  const names = [...text.matchAll(new RegExp(`,([^,]*),${last_name}`, 'g'))].map(([, name]) => name);
  assert.deepEqual(names, ['a=1', `"'\r'=1"`, "'\t'=1", "'@a", "'-1", "'+1", "'=1+1"]);
});

test('questions are columns in the order of their form, and removed questions come last', async () => {
  const question = (name: string) => ({ type: 'text', name });
  const define = (names: readonly string[]) => ({ pages: [{ elements: names.map(question) }] });
  const form = await createForm(tenant.api, { formBuilderOptions: define(['zeta', 'old', 'Alpha', 'mid']) });
  await submit(tenant.api, form, { zeta: '1', old: '2', Alpha: '3', mid: '4' });
  const { body } = await tenant.api.get(`/api/forms/${form}`);
  await tenant.api.put(`/api/forms/${form}`, {
    ...body,
    formBuilderOptions: define(['mid', 'zeta', 'Alpha']),
  });
  const [header = ''] = await exported(tenant, {
    report_type: 'form_submissions',
    ...equal('form_code', form),
  });
  const columns = header.split(',').filter((name) => name.startsWith('form_data.'));
  assert.deepEqual(
    columns.map((name) => name.slice('form_data.'.length)),
    ['mid', 'zeta', 'Alpha', 'old'],
  );
});

test('a file begins with a byte order mark if requested, or for browsers', async () => {
  const none = equal('last_name', randomUUID());
  const firstOf = async (more: object, headers = {}) => {
    const body = exportBody({ ...none, ...more });
    await tenant.api.post('/api/reports/export', body, 200, { headers });
    const [mail] = await eventually('the mail', async () => {
      const mails = await mailsTo(relay, body.receiver_email);
      return mails.length > 0 ? mails : null;
    });
    return mail?.attachments[0]?.content.subarray(0, 3).toString('hex');
  };
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' };
  const [mark, id] = ['efbbbf', Buffer.from('id,').toString('hex')];
  assert.equal(await firstOf({}), id);
  assert.equal(await firstOf({ byte_order_mark: true }), mark);
  assert.equal(await firstOf({}, browser), mark);
  assert.equal(await firstOf({ byte_order_mark: false }, browser), id);
});

test('an export of subscribers can be imported again without loss', async () => {
  // Erasing subscribers removes unfinished exports of their tenant.
  const own = await createMailTenant(app);
  const [one, list] = [randomUUID(), (await own.api.post('/api/lists', { name: 'Again' })).body.id];
  const people = [
    { first_name: '=1+1', last_name: one, additional_fields_data: { t: '3', n: 3, b: true, s: 'true' } },
    {
      first_name: "'=x",
      last_name: one,
      additional_fields_data: { j: '[1]', o: '{"a":1}', m: '-5', n: -5.5 },
    },
    {
      first_name: ' padded ',
      last_name: one,
      lists: [list],
      additional_fields_data: { e: '', l: 'a\r\nb;=c' },
    },
    { first_name: 'Ünï "q", 日本', last_name: one, active: false, inactive_reason: '@moved' },
    {
      first_name: '007',
      last_name: one,
      additional_fields_data: { z: '007', f: '1e5', w: '\u00a0x\u00a0', d: '＝1' },
    },
  ];
  const fields = { lists: [], audiences: [], active: true, additional_fields_data: {} };
  const sent = people.map((subscriber) => ({
    ...fields,
    ...subscriber,
    email: `${randomUUID()}@example.com`,
  }));
  for (const subscriber of sent) await own.api.post('/api/subscribers', subscriber);
  const { receiver } = await exportAndWait(own, equal('last_name', one));
  const file = Buffer.from((await mailTo(receiver)).attachments[0]?.content ?? '');
  const listed = async () => {
    const filters = { last_name: { operation: 'eq', value: one } };
    return (await own.api.post('/api/subscribers/list', { page: 1, limit: 10, filters })).body.results;
  };
  const fieldsOf = (results: Record<string, unknown>[]) =>
    results
      .map(({ id, version, created_at, updated_at, ...rest }) => rest)
      .toSorted((a, b) => (String(a.email) < String(b.email) ? -1 : 1));
  const before = await listed();
  for (const { id } of before) await own.api.delete(`/api/subscribers/${id}`);
  const options = { rawBody: file, headers: { 'content-type': 'text/csv' } };
  const { import_id } = (await own.api.post('/api/subscribers/import?mode=insert', undefined, 200, options))
    .body;
  await eventually('the import', async () => {
    const { status, errors } = (await own.api.get(`/api/subscribers/import/${import_id}`)).body;
    assert.deepEqual(errors, []);
    return status === 'completed' ? true : null;
  });
  assert.deepEqual(fieldsOf(await listed()), fieldsOf(before));
});

test('an export without records is a file with a header', async () => {
  const lines = await exported(tenant, equal('last_name', randomUUID()));
  assert.equal(lines.length, 1);
});

test('all matching records are exported, newest first', async () => {
  const own = await createMailTenant(app);
  const count = 2203;
  const { database } = app.app.platform;
  const { id: first } = await createSubscriber(own);
  const { query } = database.everyTenant('tests');
  const [row] = await query.selectFrom('subscribers').selectAll().where('id', '=', first).execute();
  assert.ok(row);
  const { additional_fields_data: _data, ...same } = row;
  // At the same time, so that their order is the order of their ids.
  const copies = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { ...same, id, address_key: `${id}@example.com`, created_at: '2020-01-01T00:00:00.123456Z' };
  });
  await query.insertInto('subscribers').values(copies).execute();
  const [, ...lines] = await exported(own);
  const ids = lines.map((line) => line.slice(0, 36));
  assert.deepEqual(ids, [
    first,
    ...copies
      .map(({ id }) => id)
      .sort()
      .reverse(),
  ]);
});

test('an unsupported filter is refused at once, by name', async () => {
  const refused = async (more: object) =>
    (await tenant.api.post('/api/reports/export', exportBody(more), 400)).body;
  const unknown = await refused(equal('shoe_size', 44));
  assert.deepEqual([unknown.code, unknown.issues[0].field], ['INVALID_REQUEST', 'filters.shoe_size']);
  const operation = await refused({ filters: { email: { operation: 'sounds', value: 'a' } } });
  assert.equal(operation.issues[0].field, 'filters.email.operation');
  const ofOther = await refused({ report_type: 'form_submissions', ...equal('first_name', 'Ada') });
  assert.equal(ofOther.issues[0].field, 'filters.first_name');
  const body = await refused({ receiver_email: 'nobody', report_type: 'cars', output_format: 'pdf' });
  assert.deepEqual(body.issues.map(({ field }: { field: string }) => field).sort(), [
    'output_format',
    'receiver_email',
    'report_type',
  ]);
  const { filters: _filters, ...without } = exportBody();
  const missing = (await tenant.api.post('/api/reports/export', without, 400)).body;
  assert.equal(missing.issues[0].field, 'filters');
});

test('an export of a tenant without its own domain is sent from the sandbox domain', async () => {
  const { api } = await app.createTenant();
  const body = exportBody();
  await api.post('/api/reports/export', body);
  const mail = await eventually(
    'the mail',
    async () => (await mailsTo(relay, body.receiver_email))[0] ?? null,
  );
  assert.equal(mail.from?.value[0]?.address, 'no-reply@sandbox.localhost');
});

test('a tenant can request 60 exports an hour, independent of other tenants', async () => {
  const limited = await startOwnApp({ RATE_LIMITS: 'on' });
  const [busy, other] = [await limited.createTenant(), await limited.createTenant()];
  const editor = await createMember(busy, [{ bu_id: busy.defaultUnitId, role: 'editor' }]);
  for (let count = 0; count < 60; count += 1)
    await (count % 2 === 0 ? busy.api : editor.api).post('/api/reports/export', {}, 400);
  for (const api of [busy.api, editor.api]) {
    const refused = await api.post('/api/reports/export', exportBody(), 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  }
  await other.api.post('/api/reports/export', {}, 400);
});

test('a member exports records of its own units and sees only its own exports', async () => {
  const own = await createMailTenant(app);
  const unit = await createUnit(own, 'North');
  const editor = await createMember(own, [{ bu_id: unit, role: 'editor' }]);
  const other = await createMember(own, [{ bu_id: own.defaultUnitId, role: 'admin' }]);
  await createSubscriber(own, { first_name: 'Default' });
  await createSubscriber(own, { first_name: 'Northern', business_unit: unit });
  const body = exportBody();
  const { messageId } = (await editor.api.post('/api/reports/export', body)).body;
  await eventually('the mail', async () => (await mailsTo(relay, body.receiver_email))[0] ?? null);
  const text = String((await mailTo(body.receiver_email)).attachments[0]?.content);
  assert.match(text, /Northern/);
  assert.doesNotMatch(text, /Default/);
  await editor.api.get(`/api/reports/export/${messageId}`);
  await own.api.get(`/api/reports/export/${messageId}`);
  await other.api.get(`/api/reports/export/${messageId}`, 404);
  await tenant.api.get(`/api/reports/export/${messageId}`, 404);
  const viewer = await createMember(own, [{ bu_id: unit, role: 'viewer' }]);
  await viewer.api.post('/api/reports/export', exportBody(), 403);
});

/** Three subscribers of four megabytes each. */
async function createLargeSubscribers(own: MailTenant): Promise<void> {
  for (const city of ['a', 'b', 'c'])
    await createSubscriber(own, { additional_fields_data: { city: city.repeat(4_000_000) } });
}

test('a file too large for a mail has a link, which ends when a subscriber in the file is erased', async () => {
  const own = await createMailTenant(app);
  await createLargeSubscribers(own);
  const { id } = await createSubscriber(own);
  const { receiver, ended } = await exportAndWait(own);
  assert.deepEqual([ended.status, ended.rows], ['sent', 4]);
  const mail = await mailTo(receiver);
  assert.equal(mail.attachments.length, 0);
  const [link = ''] = /http\S+\/reports\/\S+/.exec(String(mail.text)) ?? [];
  const path = new URL(link).pathname;
  const file = await app.anonymous.get(path);
  assert.match(String(file.headers.get('content-disposition')), /^attachment; filename="subscribers-/);
  assert.equal(file.headers.get('content-length'), String(file.text.length));
  const lines = file.text.split('\r\n');
  assert.deepEqual(
    lines.slice(2, 5).map((line) => /,([abc]{4000000}),/.exec(line)?.[1]?.[0]),
    ['c', 'b', 'a'],
  );
  const head = await app.anonymous.send('HEAD', path);
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(file.text.length)]);
  await app.anonymous.get(`${path}x`, 404);
  await own.api.delete(`/api/subscribers/${id}`);
  await eventually('the link to end', async () => {
    const { status } = await app.anonymous.send('HEAD', path);
    return status === 404 ? true : null;
  });
});

test('a mailed file is deleted with its mail when a submission in it is erased', async () => {
  const own = await createMailTenant(app);
  await submit(own.api, await createForm(own.api));
  const { ended } = await exportAndWait(own, { report_type: 'form_submissions' });
  await own.api.get(`/api/transmissions/${ended.messageId}`);
  await own.api.post('/api/form_submissions/erase', { email_address: 'ada@example.com' });
  await eventually('the mail to go', async () => {
    const { status } = await own.api.send('GET', `/api/transmissions/${ended.messageId}`);
    return status === 404 ? true : null;
  });
  assert.equal((await own.api.get(`/api/reports/export/${ended.messageId}`)).body.status, 'sent');
});

test('an export to a suppressed address is reported as failed', async () => {
  const receiver_email = `gone-${randomUUID()}@example.com`;
  await tenant.api.post('/api/email_settings/suppressions', { recipient: receiver_email, type: 'bounce' });
  const { ended } = await exportAndWait(tenant, { receiver_email, ...equal('last_name', 'x') });
  assert.deepEqual([ended.status, ended.error], ['failed', 'bounce']);
});

test('too many distinct names are reported, and nothing is sent', async () => {
  const own = await createMailTenant(app);
  for (const from of [0, 600]) {
    const names = Array.from({ length: 600 }, (_, n) => [`n${from + n}`, n]);
    await createSubscriber(own, { additional_fields_data: Object.fromEntries(names) });
  }
  const { receiver, ended } = await exportAndWait(own);
  assert.equal(ended.status, 'failed');
  assert.match(ended.error, /has more than 1000 different names/);
  assert.deepEqual(await mailsTo(relay, receiver), []);
});

test('campaigns and their emails are exported with their figures', async () => {
  const own = await createMailTenant(app);
  const code = await createCampaign(own);
  const other = await createCampaign(own);
  await createEmail(own, code);
  await createEmail(own, other);
  const [header = '', ...lines] = await exported(own, { report_type: 'campaigns' });
  assert.match(header, /^id,code,name,.*,metrics\.total_emails_sent,.*,metrics\.revenue_generated$/);
  assert.deepEqual(
    lines.map((line) => line.split(',')[1]),
    [other, code],
  );
  const [columns = '', ...emails] = await exported(own, {
    report_type: 'marketing_email_details',
    ...equal('campaign_code', code),
  });
  assert.match(columns, /,metrics\.delivered,metrics\.opened,.*,metrics\.bounce_rate$/);
  assert.equal(emails.length, 1);
  assert.match(emails[0] ?? '', new RegExp(`,${code},.*,0,0,0,0,0,0,0,0,0$`));
  const bad = exportBody({ report_type: 'marketing_email_details', ...equal('status', 'Sent') });
  assert.equal((await own.api.post('/api/reports/export', bad, 400)).body.code, 'INVALID_REQUEST');
});

test('a plain value of a filter means eq, an array means in, and typed filters still work', async () => {
  const own = await createMailTenant(app);
  const names = ['Ada', 'Grace', 'Edsger'];
  for (const first_name of names) await createSubscriber(own, { first_name });
  const exportedNames = async (filters: object) => {
    const [header = '', ...lines] = await exported(own, { filters });
    const column = header.split(',').indexOf('first_name');
    return lines.map((line) => line.split(',')[column]).toSorted();
  };
  assert.deepEqual(await exportedNames({ first_name: 'Ada' }), ['Ada']);
  assert.deepEqual(await exportedNames({ first_name: ['Ada', 'Grace'], active: true }), ['Ada', 'Grace']);
  assert.deepEqual(await exportedNames({ first_name: { operation: 'ne', value: 'Ada' } }), [
    'Edsger',
    'Grace',
  ]);
});

test('from and to limit the date of the rows, including the last day', async () => {
  const own = await createMailTenant(app);
  const today = new Date().toISOString().slice(0, 10);
  await createSubscriber(own, { first_name: 'Ada' });
  const rows = async (filters: object, more: object = {}) =>
    (await exported(own, { filters, ...more })).length - 1;
  assert.equal(await rows({ from: today, to: today }), 1);
  assert.equal(await rows({ to: '2020-01-01' }), 0);
  assert.equal(await rows({ created_at: { gte: '2020-01-01' }, to: '2100-01-01' }), 1);
  await createCampaign(own, { start_date: '2026-03-01' });
  const campaigns = { report_type: 'campaigns' };
  assert.equal(await rows({ from: '2026-03-01', to: '2026-03-01' }, campaigns), 1);
  assert.equal(await rows({ from: '2026-03-02' }, campaigns), 0);
});

test('an unknown key is refused with the known ones, and so is an invalid date bound', async () => {
  const refusal = async (filters: object, report_type = 'marketing_email_details') =>
    (await tenant.api.post('/api/reports/export', exportBody({ report_type, filters }), 400)).body.issues[0];
  const { field, message } = await refusal({ campain: 'X' });
  assert.equal(field, 'filters.campain');
  for (const known of ['campaign_code', 'marketing_email_id', 'sent_date', 'from', 'to'])
    assert.match(message, new RegExp(`\\b${known}\\b`));
  assert.equal((await refusal({ from: 'yesterday' })).field, 'filters.from');
  assert.equal(
    (await refusal({ from: '2026-01-01', sent_date: { gte: '2026-01-01' } })).field,
    'filters.from',
  );
});
