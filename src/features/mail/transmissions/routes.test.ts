import assert from 'node:assert/strict';
import test from 'node:test';
import { createMailTenant, sendAndWait, transmissionBody } from '../../../../test/harness/mail.ts';
import { actingIn, createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;

/** Sends an invalid body, and returns the fields with their messages. */
async function faults(more: object, status = 400): Promise<Record<string, string>> {
  const { body } = await api.post('/api/transmissions', transmissionBody(tenant, more), status);
  const issues: { field: string; message: string }[] = body.issues ?? [];
  return Object.fromEntries(issues.map(({ field, message }) => [field, message]));
}

async function accept(more: object = {}): Promise<string> {
  return (await api.post('/api/transmissions', transmissionBody(tenant, more))).body.transactionId;
}

const later = { date: '2100-01-01T09:00:00', timezone: 'UTC' };
const scheduled = { options: { transactional: true, scheduled_time: later } };
const inline = { from: `shop@${tenant.domain}`, subject: 'Hello', html: '<p>Hello</p>' };

test('a transmission without recipients is accepted, sends nothing and is completed', async () => {
  const { id, state, counts } = await sendAndWait(tenant, { recipients: [], description: 'Nobody' });
  assert.equal(state, 'completed');
  assert.deepEqual(counts, {
    ...{ recipients: 0, queued: 0, sent: 0, failed: 0, suppressed: 0 },
    ...{ delivered: 0, bounced: 0, opened: 0, clicked: 0 },
  });
  const { body } = await api.get(`/api/transmissions/${id}`);
  assert.equal(body.description, 'Nobody');
  assert.equal(body.scheduled_at, null);
  assert.deepEqual((await api.get(`/api/transmissions/${id}/recipients`)).body, {
    results: [],
    total: 0,
    totalPages: 0,
  });
});

test('all missing members and other errors are reported at once', async () => {
  const { body } = await api.post('/api/transmissions', {}, 400);
  assert.deepEqual(body.issues.map((issue: { field: string }) => issue.field).sort(), [
    'content',
    'options',
    'recipients',
  ]);
  assert.deepEqual(Object.keys(await faults({ options: {} })), ['options.transactional']);
  const many = await faults({
    recipients: [{ address: 'nobody' }, { address: { email: 'x@@y' } }, { address: 'ada@example.com' }],
    campaign_id: 'x'.repeat(65),
  });
  assert.deepEqual(Object.keys(many), [
    'campaign_id',
    'recipients[0].address',
    'recipients[1].address.email',
  ]);
});

test('5,000 recipients are accepted and 5,001 are rejected', async () => {
  const recipients = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ address: `r${index}@example.com` }));
  const id = await accept({ ...scheduled, recipients: recipients(5000) });
  assert.equal((await api.get(`/api/transmissions/${id}`)).body.counts.recipients, 5000);
  assert.deepEqual(Object.keys(await faults({ recipients: recipients(5001) })), ['recipients']);
  await api.delete(`/api/transmissions/${id}`);
});

test('5,000 recipients with data of 5 KB each are accepted, and bodies over 64 MiB are rejected', async () => {
  const letter = 'x'.repeat(5000);
  const recipients = Array.from({ length: 5000 }, (_, n) => ({
    address: `r${n}@example.com`,
    substitution_data: { letter },
  }));
  const id = await accept({ ...scheduled, recipients });
  const { body } = await api.get(`/api/transmissions/${id}`);
  assert.equal(body.counts.recipients, 5000);
  await api.delete(`/api/transmissions/${id}`);
  const tooLarge = await api.post('/api/transmissions', undefined, 413, {
    rawBody: Buffer.alloc(64 * 1024 * 1024 + 1, ' ').toString('latin1'),
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(tooLarge.body.code, 'PAYLOAD_TOO_LARGE');
});

test('limits count bytes of UTF-8, for texts and for the JSON of data', async () => {
  const two = 'é';
  // `{"k":"…"}` has 8 bytes besides the text.
  const data = (bytes: number) => ({ k: `${'x'.repeat((bytes - 8) % 2)}${two.repeat((bytes - 8) >> 1)}` });
  const KB = 1024;
  await accept({
    ...scheduled,
    campaign_id: two.repeat(32),
    description: two.repeat(512),
    metadata: data(10 * KB),
    substitution_data: data(100 * KB),
    recipients: [{ address: 'ada@example.com', metadata: data(10 * KB), substitution_data: data(100 * KB) }],
  });
  const refused = await faults({
    campaign_code: `${two.repeat(32)}x`,
    description: `${two.repeat(512)}x`,
    metadata: data(10 * KB + 1),
    substitution_data: data(100 * KB + 1),
    recipients: [
      { address: 'ada@example.com', metadata: data(10 * KB + 1), substitution_data: data(100 * KB + 1) },
    ],
  });
  assert.deepEqual(Object.keys(refused), [
    'campaign_code',
    'description',
    'metadata',
    'substitution_data',
    'recipients[0].metadata',
    'recipients[0].substitution_data',
  ]);
});

test('a recipient has at most ten tags and a tenant at most a hundred different ones', async () => {
  const fresh = await createMailTenant(app);
  const tags = (from: number, count: number) => Array.from({ length: count }, (_, n) => `tag ${from + n}`);
  const send = (given: string[][], status = 200) =>
    fresh.api.post(
      '/api/transmissions',
      transmissionBody(fresh, {
        ...scheduled,
        recipients: given.map((each) => ({ address: 'ada@example.com', tags: each })),
      }),
      status,
    );
  assert.equal((await send([tags(0, 11)], 400)).body.issues[0].field, 'recipients[0].tags');
  await send(Array.from({ length: 10 }, (_, n) => tags(n * 10, 10)));
  await send([tags(90, 10)]);
  const { body } = await send([tags(95, 6)], 400);
  assert.equal(body.code, 'INVALID_REQUEST');
  assert.match(body.issues[0].message, /100 different tags/);
  const everybody = Array.from({ length: 4000 }, (_, n) => tags(n * 10, 10));
  assert.match((await send(everybody, 400)).body.issues[0].message, /100 different tags/);
  // Rejected requests have left nothing behind.
  await send([tags(0, 10)]);
});

test('content is either a template or inline, in its form', async () => {
  const template_id = '019a0000-0000-7000-8000-000000000000';
  assert.deepEqual(Object.keys(await faults({ content: {} })), ['content']);
  assert.deepEqual(Object.keys(await faults({ content: { ...inline, template_id } })), ['content']);
  assert.deepEqual(Object.keys(await faults({ content: { from: inline.from } })), [
    'content.subject',
    'content.html',
  ]);
  assert.deepEqual(Object.keys(await faults({ content: { ...inline, email_rfc822: 'Subject: x' } })), [
    'content.email_rfc822',
  ]);
  for (const perform_substitutions of [true, false]) {
    const options = { transactional: true, perform_substitutions };
    assert.deepEqual(Object.keys(await faults({ options, content: { template_id } })), [
      'options.perform_substitutions',
    ]);
  }
  const absent = transmissionBody(tenant, { content: { template_id } });
  assert.equal((await api.post('/api/transmissions', absent, 404)).body.code, 'TEMPLATE_NOT_FOUND');
});

test('inline content with a template error is rejected with its position', async () => {
  const content = { ...inline, html: '<p>\n  {{#if x}}never closed' };
  const { body } = await api.post('/api/transmissions', transmissionBody(tenant, { content }), 400);
  assert.equal(body.issues[0].field, 'content.html');
  assert.equal(body.issues[0].line, 2);
});

test('a template without an active version is rejected', async () => {
  const template = { name: 'T', from_email: `shop@${tenant.domain}`, transactional: true };
  const { id } = (await api.post('/api/templates', template)).body;
  const version = { active: false, subject: 'S', html_content: '<p>x</p>' };
  await api.post(`/api/templates/${id}/versions`, version);
  assert.deepEqual(Object.keys(await faults({ content: { template_id: id } }, 422)), ['content.template_id']);
});

test('a sender of an unverified domain is rejected, except in the sandbox', async () => {
  const content = { ...inline, from: 'shop@elsewhere.example' };
  const { body } = await api.post('/api/transmissions', transmissionBody(tenant, { content }), 400);
  assert.equal(body.code, 'INVALID_SENDER_IDENTITY');
  assert.equal(body.issues[0].field, 'content.from');
  await accept({ content, options: { transactional: true, sandbox: true } });
});

test('a return path must be at a domain that receives bounces', async () => {
  assert.deepEqual(Object.keys(await faults({ return_path: 'bounce@elsewhere.example' })), ['return_path']);
  assert.deepEqual(Object.keys(await faults({ return_path: 'nobody' })), ['return_path']);
  await accept({ return_path: `news@${tenant.domain}` });
});

test('an attachment has either an http URL or base64 data', async () => {
  const attachments = [
    { name: 'a', type: 'text/plain' },
    { name: 'b', type: 'text/plain', url: 'https://example.com/b', data: 'Yg==' },
    { name: 'c', type: 'text/plain', data: 'not base64' },
    { name: 'd', type: 'text/plain', url: 'ftp://example.com/d' },
  ];
  assert.deepEqual(Object.keys(await faults({ content: { ...inline, attachments } })), [
    'content.attachments[0]',
    'content.attachments[1]',
    'content.attachments[2].data',
    'content.attachments[3].url',
  ]);
});

test('an attachment at a URL that outbound calls may not reach is rejected immediately', async () => {
  const attachments = [
    { name: 'a', type: 'text/plain', data: 'YQ==' },
    { name: 'b', type: 'text/plain', url: 'http://169.254.169.254/latest' },
  ];
  const refused = await faults({ content: { ...inline, attachments } });
  assert.deepEqual(Object.keys(refused), ['content.attachments[1].url']);
  assert.match(refused['content.attachments[1].url'] ?? '', /blocked by policy/);
});

test('a file of the largest size that fits in a body is accepted', async () => {
  const data = Buffer.alloc(7_000_000).toString('base64');
  await accept({
    ...scheduled,
    content: { ...inline, attachments: [{ name: 'a', type: 'text/plain', data }] },
  });
});

test('incomplete base64 is rejected', async () => {
  const texts = ['YQ', 'YQ=', 'Y===', '====', '=aaa', 'YQ==YQ==', 'YWI-', 'YW I'];
  const attachments = texts.map((data) => ({ name: 'a', type: 'text/plain', data }));
  assert.deepEqual(
    Object.keys(await faults({ content: { ...inline, attachments } })),
    texts.map((_, index) => `content.attachments[${index}].data`),
  );
});

test('a sender is parsed in linear time', async () => {
  const from = `${' '.repeat(100_000)}x${' '.repeat(100_000)}"`;
  assert.deepEqual(Object.keys(await faults({ content: { ...inline, from } })), ['content.from']);
});

test('a schedule is a valid future time in one of four zones', async () => {
  const at = (date: string, timezone = 'UTC') =>
    faults({ options: { transactional: true, scheduled_time: { date, timezone } } });
  for (const date of ['2100-02-29T10:00:00', '2100-01-01', '2100-01-01T10', '2020-01-01T10:00:00'])
    assert.deepEqual(Object.keys(await at(date)), ['options.scheduled_time.date'], date);
  // In UTC that is the year 10000, which no response can represent.
  assert.deepEqual(Object.keys(await at('9999-12-31T23:59:59', 'America/Sao_Paulo')), [
    'options.scheduled_time.date',
  ]);
  assert.deepEqual(Object.keys(await at('2100-01-01T10:00:00', 'Europe/Berlin')), [
    'options.scheduled_time.timezone',
  ]);
});

test('a scheduled transmission shows its time, waits, and can be cancelled once', async () => {
  const scheduled_time = { date: '2099-10-04T02:30:00', timezone: 'Australia/Sydney' };
  const id = await accept({ options: { transactional: false, scheduled_time }, campaign_code: 'SPRING' });
  const absolute = { date: '2099-10-04T02:30+02:00', timezone: 'Australia/Sydney' };
  const other = await accept({ options: { transactional: false, scheduled_time: absolute } });
  const { scheduled_at } = (await api.get(`/api/transmissions/${other}`)).body;
  assert.equal(scheduled_at, '2099-10-04T00:30:00.000Z');
  const { body } = await api.get(`/api/transmissions/${id}`);
  assert.equal(body.state, 'scheduled');
  // On that Sunday the clocks skip from 02:00 to 03:00.
  assert.equal(body.scheduled_at, '2099-10-03T16:30:00.000Z');
  assert.equal(body.campaign_id, 'SPRING');
  assert.deepEqual((await api.delete(`/api/transmissions/${id}`)).body, { id, state: 'cancelled' });
  assert.equal((await api.get(`/api/transmissions/${id}`)).body.state, 'cancelled');
  assert.equal((await api.delete(`/api/transmissions/${id}`, 409)).body.code, 'INVALID_STATUS');
  const { steps, status, next_attempt_at } = (
    await api.get(`/api/transmissions/${id}/recipients/ada@example.com`)
  ).body.messages[0];
  assert.equal(status, 'failed');
  assert.equal(next_attempt_at, null);
  assert.deepEqual(
    steps.map(({ step }: { step: string }) => step),
    ['accepted', 'cancelled'],
  );
});

test('sent messages cannot be cancelled', async () => {
  const { id, state } = await sendAndWait(tenant);
  assert.equal(state, 'completed');
  assert.match((await api.delete(`/api/transmissions/${id}`, 409)).body.message, /completed/);
});

test('the history of a recipient who is repeated very often contains the first hundred messages', async () => {
  const id = await accept({
    ...scheduled,
    recipients: Array.from({ length: 102 }, () => ({ address: 'ada@example.com' })),
  });
  const { body } = await api.get(`/api/transmissions/${id}/recipients/ada@example.com`);
  const { results } = (await api.get(`/api/transmissions/${id}/recipients?limit=100`)).body;
  assert.deepEqual(
    body.messages.map((message: { message_id: string }) => message.message_id),
    results.map((message: { message_id: string }) => message.message_id),
  );
});

test('recipients are listed in the order of the request, in pages', async () => {
  const recipients = ['zoe', 'ada', 'mia'].map((name) => ({ address: ` ${name}@Example.com ` }));
  const { id } = await sendAndWait(tenant, { recipients });
  const { body } = await api.get(`/api/transmissions/${id}/recipients?page=1&limit=2`);
  assert.equal(body.total, 3);
  assert.equal(body.totalPages, 2);
  assert.deepEqual(
    body.results.map(({ recipient, status, error }: Record<string, unknown>) => [recipient, status, error]),
    [
      ['zoe@example.com', 'sent', null],
      ['ada@example.com', 'sent', null],
    ],
  );
  assert.deepEqual((await api.get(`/api/transmissions/${id}/recipients?page=3`)).body.results, []);
});

test('a transmission belongs to the Active unit, and other units can neither see nor cancel it', async () => {
  const north = await createUnit(tenant, 'North');
  const south = await createUnit(tenant, 'South');
  const editor = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  const viewer = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const stranger = await createMember(tenant, [{ bu_id: south, role: 'admin' }]);
  const acting = await actingIn(editor.api, north);
  const body = transmissionBody(tenant, scheduled);
  const id = (await acting.post('/api/transmissions', body)).body.transactionId;
  await viewer.api.post('/api/transmissions', body, 403);
  for (const path of ['', '/recipients', '/recipients/ada@example.com']) {
    await viewer.api.get(`/api/transmissions/${id}${path}`);
    await stranger.api.get(`/api/transmissions/${id}${path}`, 404);
  }
  await stranger.api.delete(`/api/transmissions/${id}`, 404);
  await viewer.api.delete(`/api/transmissions/${id}`, 403);
  await editor.api.delete(`/api/transmissions/${id}`);
  await api.get('/api/transmissions/nothing', 404);
  await api.get(`/api/transmissions/${id}/recipients/nobody@example.com`, 404);
});

test('a repeated call with the same Idempotency-Key sends once', async () => {
  const headers = { 'idempotency-key': 'the same' };
  const body = transmissionBody(tenant, scheduled);
  const first = await api.post('/api/transmissions', body, 200, { headers });
  const second = await api.post('/api/transmissions', body, 200, { headers });
  assert.equal(second.body.transactionId, first.body.transactionId);
});
