import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { sql } from 'kysely';
import { blobOf, upload } from '../../../../test/harness/asset-files.ts';
import { createAutomation } from '../../../../test/harness/automations.ts';
import { createMailTenant, transmissionBody, waitUntilEnded } from '../../../../test/harness/mail.ts';
import { createMember, toSession } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { createForm } from '../../../../test/harness/sample-forms.ts';
import { PASSWORD, startOwnApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { removeDeletedTenants } from './deletion.ts';

/** A cluster removes a tenant table by table on its node. */
export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startOwnApp();

const put = (code: string, body: object, status = 200) =>
  app.admin.put(`/admin/tenants/${code}`, body, status);
const login = (email: string, more: object = {}) =>
  app.anonymous.send('POST', '/auth/login', { body: { email, password: PASSWORD, ...more } });
const outboxOf = async (to: string) => (await app.admin.get(`/admin/outbox?to=${to}`)).body.results;

/** Uploads a file of the tenant; returns its public URL. */
async function uploadAsset({ api }: TestTenant): Promise<string> {
  const { body } = await upload(api, [['file', blobOf('some text'), 'a.txt']]);
  return new URL(body.url).pathname;
}

/** Returns the tables with rows of a tenant. */
async function tablesOf(tenantId: string): Promise<string[]> {
  const all = app.app.platform.database.everyTenant('tests').query;
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'tenant_id' and table_type = 'BASE TABLE'`.execute(all);
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql`select from ${sql.table(name)} where tenant_id = ${tenantId} limit 1`.execute(
      all,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test('the operator renames a tenant and changes its brand; absent members stay unchanged', async () => {
  const { code, tenantId, api } = await app.createTenant();
  assert.deepEqual((await put(code, { name: 'New' })).body, { tenant_id: tenantId });
  await put(code, { brand_settings: { primary_color: '#123456' } });
  const { tenant } = (await api.get('/api/tenant/healthcheck')).body;
  assert.deepEqual([tenant.name, tenant.brand_settings], ['New', { logo_url: '', primary_color: '#123456' }]);
  assert.equal((await put(code, { status: 'deleting' }, 400)).body.issues[0].field, 'status');
  assert.equal((await put('nobody_here', {}, 404)).body.code, 'NOT_FOUND');
  const { results } = (await app.admin.get('/admin/tenants?limit=100')).body;
  assert.equal(results.find((each: { code: string }) => each.code === code).status, 'active');
});

test('every credential of a suspended tenant is rejected until it is active again', async () => {
  const tenant = await app.createTenant();
  const { email, api } = await createMember(tenant, []);
  const { bearer, refreshToken } = toSession(app.url, (await login(email)).body);
  await put(tenant.code, { status: 'suspended' });
  for (const client of [tenant.api, api])
    assert.equal((await client.get('/api/tenant/info', 403)).body.code, 'TENANT_SUSPENDED');
  assert.equal((await bearer.get('/api/nothing', 403)).body.code, 'TENANT_SUSPENDED');
  assert.equal((await login(email)).body.code, 'TENANT_SUSPENDED');
  assert.equal((await login(email, { password: 'wrong' })).status, 401);
  const refresh = { body: { refresh_token: refreshToken } };
  assert.equal((await app.anonymous.send('POST', '/auth/refresh', refresh)).body.code, 'TENANT_SUSPENDED');
  await put(tenant.code, { status: 'active' });
  await tenant.api.get('/api/tenant/info');
  assert.equal((await app.anonymous.send('POST', '/auth/refresh', refresh)).status, 200);
});

test('a member of several tenants signs in to the one that is not suspended', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const { email } = await createMember(tenant, []);
  await other.api.post('/api/client/v1/memberships', { email, name: 'Member' });
  assert.equal((await login(email)).status, 400);
  await put(tenant.code, { status: 'suspended' });
  assert.equal((await login(email)).status, 200);
  assert.equal((await login(email, { tenant_code: tenant.code })).body.code, 'TENANT_SUSPENDED');
});

test('public URLs of a suspended tenant are not found', async () => {
  const tenant = await app.createTenant();
  const form = await createForm(tenant.api);
  const { public_code } = (await tenant.api.get(`/api/forms/${form}`)).body;
  await createAutomation(tenant.api, 'heard', { triggerType: 'webhook', triggerParams: {} });
  const { pathname, search } = new URL((await tenant.api.get('/api/automations/heard')).body.webhook_url);
  const asset = await uploadAsset(tenant);
  const statuses = async () => {
    const answers = [
      await app.anonymous.send('GET', `/embed/${public_code}`),
      await app.anonymous.send('GET', asset),
      await app.anonymous.send('POST', pathname + search, { body: {} }),
    ];
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), [200, 200, 202]);
  await put(tenant.code, { status: 'suspended' });
  assert.deepEqual(await statuses(), [404, 404, 404]);
  await put(tenant.code, { status: 'active' });
  assert.deepEqual(await statuses(), [200, 200, 202]);
});

test('a suspended tenant sends nothing until it is active again', async () => {
  const tenant = await createMailTenant(app);
  const to = `waiting@${tenant.code}.example`;
  const soon = new Date(Date.now() + 2_000).toISOString().slice(0, 19);
  const { body } = await tenant.api.post(
    '/api/transmissions',
    transmissionBody(tenant, {
      recipients: [{ address: to }],
      options: { transactional: true, scheduled_time: { date: soon, timezone: 'UTC' } },
    }),
  );
  await put(tenant.code, { status: 'suspended' });
  // Later mail of another tenant has been sent.
  const other = await createMailTenant(app);
  await eventually('the time to come', async () => Date.now() > Date.parse(`${soon}Z`) + 1_000 || null);
  const mail = transmissionBody(other, { recipients: [{ address: `gone@${other.code}.example` }] });
  await waitUntilEnded(other, (await other.api.post('/api/transmissions', mail)).body.transactionId);
  assert.deepEqual(await outboxOf(to), []);
  await put(tenant.code, { status: 'active' });
  await waitUntilEnded(tenant, body.transactionId);
  assert.equal((await outboxOf(to)).length, 1);
});

test('a deletion requires the code again and an existing tenant', async () => {
  const { code, api } = await app.createTenant();
  const remove = (path: string, body: object) => app.admin.send('DELETE', `/admin/tenants/${path}`, { body });
  const wrong = await remove(code, { confirm: 'other' });
  assert.deepEqual([wrong.status, wrong.body.issues[0].field], [400, 'confirm']);
  assert.equal((await remove(code, {})).status, 400);
  assert.equal((await remove('nobody_here', { confirm: 'nobody_here' })).status, 404);
  await api.get('/api/tenant/info');
});

test('a deleted tenant is hidden at once; its rows, files, tables and users are deleted soon, and its code is free', async () => {
  const [tenant, other] = [await createMailTenant(app), await app.createTenant()];
  const { email, userId } = await createMember(tenant, []);
  const shared = await createMember(other, []);
  await tenant.api.post('/api/client/v1/memberships', { email: shared.email, name: 'Shared' });
  await tenant.api.post('/api/entities', { name: 'order', fields: [{ name: 'total', type: 'integer' }] });
  const asset = await uploadAsset(tenant);
  const folder = join(app.app.platform.config.dataDir, 'assets', tenant.tenantId);
  assert.ok(existsSync(folder));
  const { body } = await app.admin.send('DELETE', `/admin/tenants/${tenant.code}`, {
    body: { confirm: tenant.code },
  });
  assert.deepEqual(body, { tenant_id: tenant.tenantId });
  await tenant.api.get('/api/tenant/info', 401);
  assert.equal((await login(email)).status, 401);
  assert.equal((await app.anonymous.send('GET', asset)).status, 404);
  await put(tenant.code, {}, 404);
  const { results } = (await app.admin.get('/admin/tenants?limit=100')).body;
  assert.ok(!results.some((each: { tenant_id: string }) => each.tenant_id === tenant.tenantId));
  const owner = { email: `new@${tenant.code}.test`, name: 'Owner', password: PASSWORD };
  await app.admin.post('/admin/tenants', { code: tenant.code, name: 'Next', owner });
  await eventually('its rows to go', async () => (await tablesOf(tenant.tenantId)).length === 0 || null);
  assert.ok(!existsSync(folder));
  const all = app.app.platform.database.everyTenant('tests').query;
  const schemas =
    await sql`select from pg_namespace where nspname like ${`%${tenant.tenantId.replaceAll('-', '%')}%`}`.execute(
      all,
    );
  assert.equal(schemas.rows.length, 0);
  const people = await all
    .selectFrom('users')
    .select('user_id')
    .where('user_id', 'in', [userId, shared.userId])
    .execute();
  assert.deepEqual(people, [{ user_id: shared.userId }]);
  assert.equal((await login(shared.email)).status, 200);
});

test('a deletion interrupted by a kill is completed by the next run of its job', async () => {
  const tenant = await app.createTenant();
  await createForm(tenant.api);
  const { platform } = app.app;
  const all = platform.database.everyTenant('tests').query;
  const marked = { status: 'deleting', code: `deleted ${tenant.tenantId}` } as const;
  await all.updateTable('tenants').set(marked).where('tenant_id', '=', tenant.tenantId).execute();
  // Continues where another run stopped.
  await all.deleteFrom('forms').where('tenant_id', '=', tenant.tenantId).execute();
  await removeDeletedTenants.runChecked(platform, {});
  assert.deepEqual(await tablesOf(tenant.tenantId), []);
});
