import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { type Client, createClient } from '../../../../test/harness/client.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp({
  ENVIRONMENT: 'UAT',
  PUBLIC_URL: 'https://forms.example.test',
  JOB_BATCH_SIZE: '17',
  TRANSMISSION_BATCH_SIZE: '3',
});
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MEMBERSHIPS = '/api/client/v1/memberships';

function newCode(): string {
  return `c${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

function bodyOf(code: string, owner: object = {}) {
  return {
    code,
    name: 'Acme',
    owner: { email: `o@${code}.test`, name: 'Olga', password: 'a fine password', ...owner },
  };
}

function clientOf(apiKey: string): Client {
  return createClient(app.url, { 'x-api-key': apiKey });
}

async function passwordHashOf(userId: string): Promise<string | null> {
  const { password_hash } = await app.app.platform.database
    .everyTenant('tests')
    .query.selectFrom('users')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return password_hash;
}

test('the operator creates a tenant whose owner can use the key immediately', async () => {
  const code = newCode();
  const { body } = await app.admin.post('/admin/tenants', bodyOf(code));
  assert.deepEqual(Object.keys(body), ['tenant_id', 'code', 'default_business_unit_id', 'owner', 'api_key']);
  assert.match(body.tenant_id, UUID_V7);
  assert.match(body.owner.user_id, UUID_V7);
  assert.match(body.api_key, /^tsk_[a-z2-7]{16}_[A-Za-z0-9_-]{43}$/);
  const owner = clientOf(body.api_key);
  const info = await owner.get('/api/tenant/info');
  assert.deepEqual(info.body, { tenant_id: body.tenant_id, code, name: 'Acme' });
  const units = await owner.get('/api/client/v1/business-units');
  assert.deepEqual(units.body, {
    business_units: [
      { bu_id: body.default_business_unit_id, name: 'Default', slug: 'default', is_default: true },
    ],
    is_tenant_admin: true,
    default_business_unit_id: body.default_business_unit_id,
  });
});

test('the operator surface answers 401 without its token, also to an API key', async () => {
  const { api } = await app.createTenant();
  for (const client of [app.anonymous, api, app.anonymous.with({ authorization: 'Bearer wrong' })]) {
    const { body } = await client.get('/admin/tenants', 401);
    assert.equal(body.code, 'UNAUTHORIZED');
    await client.post('/admin/tenants', bodyOf(newCode()), 401);
    await client.post('/admin/tenants/whatever/reset', { confirm: 'whatever' }, 401);
  }
});

test('a tenant code is unique', async () => {
  const code = newCode();
  await app.admin.post('/admin/tenants', bodyOf(code));
  const { body } = await app.admin.post('/admin/tenants', bodyOf(code, { email: 'x@y.test' }), 409);
  assert.equal(body.code, 'DUPLICATE_TENANT_CODE');
});

test('of two concurrent creates with one code, one succeeds and the other leaves nothing', async () => {
  const code = newCode();
  const attempts = await Promise.all(
    ['a@race.test', 'b@race.test'].map((email) =>
      app.admin.send('POST', '/admin/tenants', { body: bodyOf(code, { email }) }),
    ),
  );
  assert.deepEqual(attempts.map((answer) => answer.status).sort(), [200, 409]);
  const users = await app.app.platform.database
    .everyTenant('tests')
    .query.selectFrom('users')
    .select('email')
    .where('email', 'like', '%@race.test')
    .execute();
  assert.equal(users.length, 1);
});

test('a malformed tenant is refused with one issue per error', async () => {
  const { body } = await app.admin.post(
    '/admin/tenants',
    { code: 'Bad-Code', owner: { email: 'nobody', name: '', password: 'short' } },
    400,
  );
  assert.equal(body.code, 'INVALID_REQUEST');
  assert.deepEqual(body.issues.map((issue: { field: string }) => issue.field).sort(), [
    'code',
    'name',
    'owner.email',
    'owner.name',
    'owner.password',
  ]);
  for (const code of ['a', '1a', `a${'b'.repeat(31)}`, 'ä_b', 'a b', ''])
    await app.admin.post('/admin/tenants', bodyOf(code, { email: 'c@c.test' }), 400);
});

test('the shortest and the longest code and password are accepted', async () => {
  const long = `z${newCode()}`.padEnd(31, '_');
  await app.admin.post('/admin/tenants', bodyOf(long, { email: 'l@l.test', password: '12345678' }));
  await app.admin.post('/admin/tenants', bodyOf('z9', { password: 'x'.repeat(1000) }));
  await app.admin.post('/admin/tenants', bodyOf(newCode(), { password: 'x'.repeat(1001) }), 400);
});

test('an owner who is already a user keeps their password', async () => {
  const [first, second] = [newCode(), newCode()];
  const email = `Both@${first}.test`;
  const one = await app.admin.post('/admin/tenants', bodyOf(first, { email }));
  const hash = await passwordHashOf(one.body.owner.user_id);
  const two = await app.admin.post(
    '/admin/tenants',
    bodyOf(second, { email: email.toLowerCase(), password: 'another password' }),
  );
  assert.equal(two.body.owner.user_id, one.body.owner.user_id);
  assert.equal(await passwordHashOf(one.body.owner.user_id), hash);
  const mine = await clientOf(two.body.api_key).get('/api/client/v1/my-memberships');
  assert.deepEqual(
    mine.body.results.map((membership: { tenant_code: string }) => membership.tenant_code).sort(),
    [first, second].sort(),
  );
});

test('the operator lists tenants in pages, newest first', async () => {
  const codes: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    codes.unshift(newCode());
    await app.admin.post('/admin/tenants', bodyOf(codes[0] ?? ''));
  }
  const { body } = await app.admin.get('/admin/tenants?page=1&limit=2');
  assert.deepEqual(
    body.results.map((item: { code: string }) => item.code),
    codes.slice(0, 2),
  );
  assert.deepEqual(Object.keys(body.results[0]), ['tenant_id', 'code', 'name', 'created_at', 'status']);
  assert.match(body.results[0].created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(body.totalPages, Math.ceil(body.total / 2));
  const past = await app.admin.get('/admin/tenants?page=1000&limit=2');
  assert.deepEqual(past.body, { results: [], total: body.total, totalPages: body.totalPages });
  const usual = await app.admin.get('/admin/tenants');
  assert.equal(usual.body.total, body.total);
  for (const query of ['page=0', 'limit=101', 'limit=0', 'page=x'])
    await app.admin.get(`/admin/tenants?${query}`, 400);
});

test('a repeated create with one Idempotency-Key creates one tenant', async () => {
  const body = bodyOf(newCode());
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const first = await app.admin.post('/admin/tenants', body, 200, { headers });
  const second = await app.admin.post('/admin/tenants', body, 200, { headers });
  assert.deepEqual(second.body, first.body);
});

test('the health check reports the tenant, its brand and the configuration', async () => {
  const code = newCode();
  const brand_settings = { logo_url: 'https://x.test/l.png', primary_color: '#abcdef' };
  const { body: created } = await app.admin.post('/admin/tenants', { ...bodyOf(code), brand_settings });
  const { body } = await clientOf(created.api_key).get('/api/tenant/healthcheck');
  assert.deepEqual(body, {
    tenant: { tenant_id: created.tenant_id, code, name: 'Acme', sandbox_mode: false, brand_settings },
    environment: 'UAT',
    config: {
      emailMarketing: { jobBatchSize: 17, transmissionBatchSize: 3 },
      emailProvider: { baseUrl: '', sendingDomain: '' },
      formsService: { baseUrl: 'https://forms.example.test' },
    },
  });
});

test('an absent brand reads as empty strings', async () => {
  const { api } = await app.createTenant();
  const { body } = await api.get('/api/tenant/healthcheck');
  assert.deepEqual(body.tenant.brand_settings, { logo_url: '', primary_color: '' });
});

test('info and health check answer 401 without a key', async () => {
  for (const path of ['/api/tenant/info', '/api/tenant/healthcheck']) {
    assert.equal((await app.anonymous.get(path, 401)).body.code, 'UNAUTHORIZED');
    await clientOf(`tsk_${'a'.repeat(16)}_${'b'.repeat(43)}`).get(path, 401);
  }
});

test('a reset needs the code as confirmation, and an existing tenant', async () => {
  const { code, api } = await app.createTenant();
  const wrong = await app.admin.post(`/admin/tenants/${code}/reset`, { confirm: 'other' }, 400);
  assert.equal(wrong.body.issues[0].field, 'confirm');
  await app.admin.post(`/admin/tenants/${code}/reset`, {}, 400);
  const absent = await app.admin.post('/admin/tenants/nobody_here/reset', { confirm: 'nobody_here' }, 404);
  assert.equal(absent.body.code, 'NOT_FOUND');
  await api.get('/api/tenant/info');
});

test('a reset deletes everything but the tenant, its owners, their keys and the Default unit', async () => {
  const tenant = await app.createTenant();
  const other = await app.createTenant();
  const { api } = tenant;
  const unit = (await api.post('/api/client/v1/business-units', { name: 'North' })).body.bu_id;
  const email = `member@${tenant.code}.test`;
  const grants = [{ bu_id: unit, role: 'editor' }];
  const member = (await api.post(MEMBERSHIPS, { email, name: 'M', grants })).body;
  const memberKey = (
    await api.post('/api/client/v1/api-keys', { name: 'm', membership_id: member.membership_id })
  ).body.api_key;
  const shared = { email: `owner@${other.code}.test`, name: 'S' };
  const sharedUser = (await api.post(MEMBERSHIPS, shared)).body.user_id;
  for (const { api: client } of [tenant, other])
    await client.post('/api/form_themes', { name: 'Theme', formBuilderThemeOptions: {} });
  const before = await tableCounts(other.tenantId);

  const { body } = await app.admin.post(`/admin/tenants/${tenant.code}/reset`, { confirm: tenant.code });
  assert.deepEqual(body, { tenant_id: tenant.tenantId, code: tenant.code });

  const units = await api.get('/api/client/v1/business-units');
  assert.deepEqual(
    units.body.business_units.map((each: { bu_id: string }) => each.bu_id),
    [tenant.defaultUnitId],
  );
  const members = await api.get(MEMBERSHIPS);
  assert.deepEqual(
    members.body.results.map((each: { user_id: string }) => each.user_id),
    [tenant.ownerUserId],
  );
  await clientOf(memberKey).get('/api/tenant/info', 401);
  // A job removes the files.
  await eventually('the jobs to end', async () => !('jobs' in (await tableCounts(tenant.tenantId))));
  assert.deepEqual(await tableCounts(tenant.tenantId), {
    tenants: 1,
    business_units: 1,
    memberships: 1,
    api_keys: 1,
    record_history: 2,
  });
  assert.deepEqual(await tableCounts(other.tenantId), before);
  await other.api.get('/api/tenant/info');
  assert.equal(sharedUser, other.ownerUserId);
  const again = (await api.post(MEMBERSHIPS, { email, name: 'M' })).body;
  assert.notEqual(again.user_id, member.user_id, 'a person who belongs nowhere any more was deleted');
});

/** Counts the rows of a tenant by table, without empty tables. */
async function tableCounts(tenantId: string): Promise<Record<string, number>> {
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  const tables = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'tenant_id'`.execute(everyTenant);
  const counts: Record<string, number> = {};
  for (const { table_name: table } of tables.rows) {
    const { rows } = await sql`select from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(
      everyTenant,
    );
    if (rows.length > 0) counts[table] = rows.length;
  }
  return counts;
}

test('a reset and concurrent additions of the removed users do not block each other', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const people = ['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@${tenant.code}.test`, name }));
  for (let round = 0; round < 8; round += 1) {
    const add = ({ api }: typeof tenant) => people.map((body) => api.send('POST', MEMBERSHIPS, { body }));
    await Promise.all(add(tenant));
    const confirmed = { body: { confirm: tenant.code } };
    const reset = tenant.operator.send('POST', `/admin/tenants/${tenant.code}/reset`, confirmed);
    const answers = await Promise.all([reset, ...add(tenant), ...add(other), ...add(tenant)]);
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status >= 500),
      [],
    );
  }
});
