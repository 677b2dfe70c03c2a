import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm } from '../../../../test/harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const form = await createForm(tenant.api);
const receiver = await startReceiver();

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

function bodyOf(more: object = {}, target: object = {}) {
  return {
    event: { event_type: 'form.submission', form_code: form },
    name: 'CRM',
    target: { url: `${receiver.url}/hook`, ...target },
    ...more,
  };
}

async function create(more: object = {}, target: object = {}, api = tenant.api): Promise<string> {
  return (await api.post('/api/webhooks', bodyOf(more, target))).body.id;
}

async function put(id: string, more: object = {}, target: object = {}, status = 200) {
  const { event: _event, ...body } = bodyOf(more, target);
  return (await tenant.api.put(`/api/webhooks/${id}`, body, status)).body;
}

async function read(id: string) {
  return (await tenant.api.get(`/api/webhooks/${id}`)).body;
}

/** Returns the request of a test call with the webhook's headers. */
async function sentHeaders(id: string) {
  await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  return receiver.received.at(-1)?.headers ?? {};
}

async function memberOf(owner: TestTenant, grants: object[]) {
  const email = `${crypto.randomUUID()}@member.test`;
  const { body } = await owner.api.post('/api/client/v1/memberships', {
    email,
    name: 'Member',
    password: 'a fine password',
    grants,
  });
  const key = { name: 'key', membership_id: body.membership_id };
  const { body: created } = await owner.api.post('/api/client/v1/api-keys', key);
  return app.anonymous.with({ 'x-api-key': created.api_key });
}

test('a webhook is returned as written, with its defaults', async () => {
  const id = await create();
  const body = await read(id);
  assert.deepEqual(body, {
    id,
    version: 1,
    created_at: body.created_at,
    name: 'CRM',
    event: { event_type: 'form.submission', form_code: form },
    target: { url: `${receiver.url}/hook`, headers: [] },
    active: true,
    test_data: {},
    last_attempt_at: null,
    last_attempt_status: null,
    business_unit: tenant.defaultUnitId,
  });
  const list = (await tenant.api.get('/api/webhooks')).body.results;
  assert.deepEqual(
    list.find((item: { id: string }) => item.id === id),
    body,
  );
});

test('the list is newest first and can be filtered by form', async () => {
  const other = await createForm(tenant.api);
  const event = { event_type: 'form.submission', form_code: other };
  const first = await create({ event });
  const second = await create({ event });
  const { body } = await tenant.api.get(`/api/webhooks?form_code=${other}`);
  assert.deepEqual(
    body.results.map(({ id }: { id: string }) => id),
    [second, first],
  );
  assert.deepEqual((await tenant.api.get('/api/webhooks?form_code=none')).body, { results: [] });
});

for (const [what, field, more, target] of [
  ['no name', 'name', { name: undefined }, {}],
  ['an empty name', 'name', { name: '' }, {}],
  ['a name of 201 characters', 'name', { name: 'x'.repeat(201) }, {}],
  ['another event', 'event.event_type', { event: { event_type: 'form.view', form_code: 'x' } }, {}],
  ['no form', 'event.form_code', { event: { event_type: 'form.submission' } }, {}],
  ['a target that is no URL', 'target.url', {}, { url: 'nowhere' }],
  ['a target of another scheme', 'target.url', {}, { url: 'ftp://example.com/' }],
  ['a target with a password', 'target.url', {}, { url: 'http://me:secret@example.com/' }],
  ['a metadata address', 'target.url', {}, { url: 'http://169.254.169.254/latest' }],
  ['test data that is no object', 'test_data', { test_data: [1] }, {}],
  ['active as text', 'active', { active: 'yes' }, {}],
  ['a header value of 501 characters', 'target.headers[0].value', {}, header('X-A', 'x'.repeat(501))],
  ['a header value with a line break', 'target.headers[0].value', {}, header('X-A', 'a\r\nX-B: c')],
  ['a header name with a space', 'target.headers[0].name', {}, header('X A', 'a')],
  ['a header that is ours to set', 'target.headers[0].name', {}, header('Content-Type', 'text/plain')],
  ['a header in our name', 'target.headers[0].name', {}, header('tessera-attempt', '9')],
  ['a header without a value', 'target.headers[0].value', {}, header('X-A', undefined)],
] as const) {
  test(`a create with ${what} is rejected, naming ${field}`, async () => {
    const { body } = await tenant.api.post('/api/webhooks', bodyOf(more, target), 400);
    assert.equal(body.code, 'INVALID_REQUEST');
    assert.deepEqual(
      body.issues.map((issue: { field: string }) => issue.field),
      [field],
    );
  });
}

function header(name: string, value: string | undefined, is_secret?: boolean) {
  return { headers: [{ name, value, is_secret }] };
}

test('all errors of a target are reported at once', async () => {
  const headers = [
    { name: 'X-A', value: '1' },
    { name: 'x-a', value: '2' },
    { name: 'Host', value: 'h' },
  ];
  const { body } = await tenant.api.post('/api/webhooks', bodyOf({}, { url: 'x:', headers }), 400);
  assert.deepEqual(
    body.issues.map((issue: { field: string }) => issue.field),
    ['target.url', 'target.headers[1].name', 'target.headers[2].name'],
  );
});

test('errors of fields and of rules are reported at once', async () => {
  const wrong = bodyOf({ name: '', active: 'yes' }, { url: 'ftp://example.com' });
  const { body } = await tenant.api.post('/api/webhooks', wrong, 400);
  assert.deepEqual(body.issues.map((issue: { field: string }) => issue.field).sort(), [
    'active',
    'name',
    'target.url',
  ]);
});

test('a target accepts at most 50 headers', async () => {
  const headers = Array.from({ length: 51 }, (_, n) => ({ name: `X-${n}`, value: 'v' }));
  await create({}, { headers: headers.slice(0, 50) });
  await tenant.api.post('/api/webhooks', bodyOf({}, { headers }), 400);
});

test('a missing form is rejected by a rule', async () => {
  const event = { event_type: 'form.submission', form_code: 'nosuchform' };
  const { body } = await tenant.api.post('/api/webhooks', bodyOf({ event }), 422);
  assert.deepEqual([body.code, body.issues[0].field], ['VALIDATION_ERROR', 'event.form_code']);
});

test('another tenant finds neither the form nor the webhook', async () => {
  const other = await app.createTenant();
  await other.api.post('/api/webhooks', bodyOf(), 422);
  const id = await create();
  const { event: _event, ...replacement } = bodyOf();
  assert.deepEqual((await other.api.get('/api/webhooks')).body.results, []);
  await other.api.get(`/api/webhooks/${id}`, 404);
  await other.api.put(`/api/webhooks/${id}`, replacement, 404);
  await other.api.delete(`/api/webhooks/${id}`, 404);
  await other.api.post(`/api/webhooks/${id}/test`, undefined, 404);
  await other.api.get(`/api/webhooks/${id}/deliveries`, 404);
  await other.api.post(`/api/webhooks/${id}/deliveries/${UNKNOWN}/redeliver`, undefined, 404);
});

test('an invalid id is not found', async () => {
  await tenant.api.get('/api/webhooks/none', 404);
  await tenant.api.delete(`/api/webhooks/${UNKNOWN}`, 404);
  const id = await create();
  await tenant.api.post(`/api/webhooks/${id}/deliveries/none/redeliver`, undefined, 404);
  await tenant.api.post(`/api/webhooks/${id}/deliveries/${UNKNOWN}/redeliver`, undefined, 404);
});

test('a replace keeps omitted active and test_data', async () => {
  const id = await create({ active: false, test_data: { b: 1, a: { x: [null] } } });
  assert.deepEqual(await put(id, { name: 'ERP' }), { id });
  const body = await read(id);
  assert.deepEqual(
    [body.name, body.active, body.test_data, body.version],
    ['ERP', false, { b: 1, a: { x: [null] } }, 2],
  );
  await put(id, { active: true, test_data: {} });
  const changed = await read(id);
  assert.deepEqual([changed.active, changed.test_data], [true, {}]);
});

test('a replace with an event is rejected and changes nothing', async () => {
  const id = await create();
  const { event } = await read(id);
  const other = { ...event, form_code: await createForm(tenant.api) };
  for (const body of [{ event }, { event: other }, { event: {} }, { event: null }, { id, event: other }]) {
    const answer = await tenant.api.put(`/api/webhooks/${id}`, bodyOf({ name: 'New', ...body }), 400);
    assert.deepEqual([answer.body.code, answer.body.issues[0].field], ['INVALID_REQUEST', 'event']);
  }
  assert.equal((await read(id)).name, 'CRM');
});

test('a replace with the complete GET response is accepted', async () => {
  const id = await create();
  await tenant.api.put(`/api/webhooks/${id}`, { ...(await read(id)), name: 'New' });
  assert.equal((await read(id)).name, 'New');
});

test('a replace with an outdated version is rejected', async () => {
  const id = await create();
  await put(id, { version: 1 });
  assert.equal((await put(id, { version: 1 }, {}, 409)).code, 'VERSION_CONFLICT');
});

test('a secret value is sent but not readable in reads, lists, history or the database', async () => {
  const id = await create({}, header('X-Token', 'hunter2-value', true));
  const shown = { name: 'X-Token', is_secret: true };
  assert.deepEqual((await read(id)).target.headers, [shown]);
  assert.equal((await sentHeaders(id))['x-token'], 'hunter2-value');
  const list = await tenant.api.get('/api/webhooks');
  const history = await tenant.api.get(`/api/entity/versions?entityType=webhook&entitySortKey=${id}`);
  assert.deepEqual(history.body[0].data.target.headers, [shown]);
  const rows = await app.app.platform.database
    .everyTenant('tests')
    .query.selectFrom('webhooks')
    .selectAll()
    .execute();
  for (const text of [list.text, history.text, JSON.stringify(rows)])
    assert.doesNotMatch(text, /hunter2-value/);
});

test('a replace keeps a secret whose value it omits, in any letter case of its name', async () => {
  const id = await create({}, header('X-Token', 'first', true));
  await put(id, {}, header('x-token', undefined, true));
  assert.equal((await sentHeaders(id))['x-token'], 'first');
  await put(id, {}, { headers: [{ name: 'X-Token' }] });
  assert.deepEqual((await read(id)).target.headers, [{ name: 'X-Token', is_secret: true }]);
  assert.equal((await sentHeaders(id))['x-token'], 'first');
});

test('a replace with a value rotates the secret, which stays secret', async () => {
  const id = await create({}, header('X-Token', 'first', true));
  await put(id, {}, header('X-Token', 'second', undefined));
  assert.deepEqual((await read(id)).target.headers, [{ name: 'X-Token', is_secret: true }]);
  assert.equal((await sentHeaders(id))['x-token'], 'second');
});

test('a secret becomes plain only with a new value', async () => {
  const id = await create({}, header('X-Token', 'first', true));
  const refused = await put(id, {}, header('X-Token', undefined, false), 400);
  assert.equal(refused.issues[0].field, 'target.headers[0].value');
  await put(id, {}, header('X-Token', 'open', false));
  assert.deepEqual((await read(id)).target.headers, [{ name: 'X-Token', value: 'open', is_secret: false }]);
});

test('a replace removes omitted headers', async () => {
  const id = await create({}, header('X-Token', 'first', true));
  await put(id);
  assert.deepEqual((await read(id)).target.headers, []);
  const refused = await put(id, {}, header('X-Token', undefined, true), 400);
  assert.equal(refused.issues[0].field, 'target.headers[0].value');
});

test('a deleted webhook is not found, and its history stays', async () => {
  const id = await create();
  assert.deepEqual((await tenant.api.delete(`/api/webhooks/${id}`)).body, { id });
  await tenant.api.get(`/api/webhooks/${id}`, 404);
  await tenant.api.delete(`/api/webhooks/${id}`, 404);
  const versions = await tenant.api.get(`/api/entity/versions?entityType=webhook&entitySortKey=${id}`);
  assert.equal(versions.body.length, 1);
  const deleted = await tenant.api.get('/api/entity/deleted-records?entityType=webhook');
  assert.ok(deleted.body.some((entry: { sk: string }) => entry.sk === id));
});

test("a webhook belongs to its form's unit: other units cannot see it, viewers and editors are limited", async () => {
  const { bu_id } = (await tenant.api.post('/api/client/v1/business-units', { name: 'North' })).body;
  const { body: unit } = await tenant.api.post(`/api/client/v1/business-units/${bu_id}/activate`, undefined);
  const north = await createForm(tenant.api.with({ 'x-business-unit': unit.token }));
  const event = { event_type: 'form.submission', form_code: north };
  const id = await create({ event });
  const grant = (role: string) => [
    { bu_id, role },
    { bu_id: tenant.defaultUnitId, role: 'admin' },
  ];
  const stranger = await memberOf(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  await stranger.get(`/api/webhooks/${id}`, 404);
  await stranger.post('/api/webhooks', bodyOf({ event }), 422);
  const viewer = await memberOf(tenant, grant('viewer'));
  await viewer.get(`/api/webhooks/${id}`);
  await viewer.get(`/api/webhooks/${id}/deliveries`);
  await viewer.post('/api/webhooks', bodyOf({ event }), 403);
  const { event: _event, ...replacement } = bodyOf();
  await viewer.put(`/api/webhooks/${id}`, replacement, 403);
  await viewer.post(`/api/webhooks/${id}/test`, undefined, 403);
  await viewer.post(`/api/webhooks/${id}/deliveries/${UNKNOWN}/redeliver`, undefined, 403);
  const editor = await memberOf(tenant, grant('editor'));
  await editor.put(`/api/webhooks/${id}`, replacement);
  await editor.delete(`/api/webhooks/${id}`, 403);
  const admin = await memberOf(tenant, grant('admin'));
  await admin.delete(`/api/webhooks/${id}`);
});

test('a test call sends the test data with the headers and returns the response', async () => {
  const id = await create({ test_data: { hello: 'wörld' } }, header('X-Plain', 'p'));
  receiver.answer = (_request, response) => response.writeHead(201).end('thanks');
  const { body } = await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.equal(typeof body.duration_ms, 'number');
  assert.deepEqual(body, {
    success: true,
    status_code: 201,
    response_body: 'thanks',
    duration_ms: body.duration_ms,
  });
  const sent = receiver.received.at(-1);
  assert.deepEqual(
    [sent?.method, sent?.path, sent?.body, sent?.headers['x-plain'], sent?.headers['content-type']],
    ['POST', '/hook', { hello: 'wörld' }, 'p', 'application/json'],
  );
  assert.match(sent?.headers['user-agent'] ?? '', /^Tessera\/\d/);
});

test('a test call counts neither as a delivery nor as an attempt', async () => {
  const id = await create();
  await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.deepEqual((await tenant.api.get(`/api/webhooks/${id}/deliveries`)).body, {
    results: [],
    total: 0,
    totalPages: 0,
  });
  assert.equal((await read(id)).last_attempt_at, null);
});

test('a test call without test data sends an empty object', async () => {
  const id = await create();
  await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.equal(receiver.received.at(-1)?.text, '{}');
});

test('a test call that the receiver rejects returns its response without success', async () => {
  const id = await create();
  receiver.answer = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end('no');
  const before = receiver.received.length;
  const { body } = await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.deepEqual([body.success, body.status_code, body.response_body], [false, 302, 'no']);
  assert.equal(receiver.received.length, before + 1);
});

test('a test call that cannot complete returns the reason, without a status', async () => {
  const id = await create({}, { url: 'http://127.0.0.1:1/' });
  const { body } = await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.deepEqual(Object.keys(body).sort(), ['duration_ms', 'error', 'success']);
  assert.equal(body.success, false);
});

test('a test call returns 64 KiB of a response, and no echoed secret', async () => {
  const secret = 'Bearer "quoted\\secret"';
  const id = await create({}, header('Authorization', secret, true));
  receiver.answer = (request, response) =>
    response.end(
      JSON.stringify({ got: request.headers.authorization, raw: 'x' }) + secret + 'y'.repeat(100_000),
    );
  const { body } = await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.match(body.response_body, /^\{"got":"\[secret\]","raw":"x"\}\[secret\]y/);
  assert.ok(Buffer.byteLength(body.response_body) <= 64 * 1024);
});

test('one-character secrets do not inflate a response', async () => {
  const secrets = [...'secrt[]'].map((value, index) => ({ name: `X-${index}`, value, is_secret: true }));
  const id = await create({}, { headers: secrets });
  receiver.answer = (_request, response) => response.end('a secret');
  const { body } = await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.equal(body.response_body, `a ${'[secret]'.repeat(6)}`);
});

test('a test call reports a secret that cannot be opened, as after a change of SECRET_KEY', async () => {
  const id = await create({}, header('X-Token', 'hidden', true));
  const other = await create({}, header('X-Token', 'hidden', true));
  const db = app.app.platform.database.forTenant(tenant.tenantId);
  await sql`update webhooks w set headers = o.headers from webhooks o
    where w.tenant_id = ${tenant.tenantId} and w.id = ${id} and o.tenant_id = w.tenant_id and o.id = ${other}`.execute(
    db,
  );
  const { body } = await tenant.api.post(`/api/webhooks/${id}/test`, undefined);
  assert.match(body.error, /SECRET_KEY has changed/);
});

test('test data has a maximum size, because the list of webhooks has no pages', async () => {
  const test_data = { text: 'x'.repeat(100_000) };
  const refused = await tenant.api.post('/api/webhooks', bodyOf({ test_data }), 400);
  assert.equal(refused.body.issues[0].field, 'test_data');
  assert.equal((await put(await create(), { test_data }, {}, 400)).issues[0].field, 'test_data');
});

test('an upper-case id is not found', async () => {
  const id = await create({}, header('X-Token', 'hidden', true));
  await tenant.api.get(`/api/webhooks/${id.toUpperCase()}`, 404);
  await tenant.api.post(`/api/webhooks/${id.toUpperCase()}/test`, undefined, 404);
});

test('two equal creates with one Idempotency-Key create one webhook', async () => {
  const options = { headers: { 'idempotency-key': 'once' } };
  const first = await tenant.api.post('/api/webhooks', bodyOf({ name: 'Once' }), 200, options);
  const second = await tenant.api.post('/api/webhooks', bodyOf({ name: 'Once' }), 200, options);
  assert.equal(first.body.id, second.body.id);
});

test('if private addresses are not allowed, such a target is rejected with the setting that allows it', async () => {
  const strict = await startTestApp({ OUTBOUND_ALLOW_PRIVATE: 'false' });
  const { api } = await strict.createTenant();
  const event = { event_type: 'form.submission', form_code: await createForm(api) };
  for (const url of ['http://127.0.0.1:1/', 'http://[::1]/', 'http://2130706433/', 'http://localhost/']) {
    const { body } = await api.post('/api/webhooks', bodyOf({ event }, { url }), 400);
    assert.equal(body.issues[0].field, 'target.url');
    assert.match(body.issues[0].message, /blocked by policy.*OUTBOUND_ALLOW_PRIVATE/);
  }
  await api.post('/api/webhooks', bodyOf({ event }, { url: 'http://203.0.113.7/' }), 400);
  await api.post('/api/webhooks', bodyOf({ event }, { url: 'https://hooks.invalid/' }));
});

test('deleting a form deletes its webhooks, each with a history', async () => {
  const own = await app.createTenant();
  const [one, other] = [await createForm(own.api), await createForm(own.api)];
  const make = async (form_code: string) =>
    (
      await own.api.post('/api/webhooks', {
        ...bodyOf(),
        event: { event_type: 'form.submission', form_code },
      })
    ).body.id;
  const [first, second, remaining] = [await make(one), await make(one), await make(other)];
  await own.api.delete(`/api/forms/${one}`);
  const { body } = await own.api.get('/api/webhooks');
  assert.deepEqual(
    body.results.map(({ id }: { id: string }) => id),
    [remaining],
  );
  for (const id of [first, second]) {
    await own.api.get(`/api/webhooks/${id}`, 404);
    const path = `/api/entity/versions?entityType=webhook&entitySortKey=${id}`;
    assert.equal((await own.api.get(path)).body.length, 1);
  }
  const deletedRecords = (await own.api.get('/api/entity/deleted-records?entityType=webhook')).body;
  assert.deepEqual(deletedRecords.map(({ sk }: { sk: string }) => sk).sort(), [first, second].sort());
});
