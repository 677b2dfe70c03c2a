import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { actingIn, createMember } from '../../../../test/harness/members.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { signActiveUnit } from '../../../tenancy/active-unit.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

const app = await startTestApp();
const UNITS = '/api/client/v1/business-units';
const MINE = '/api/client/v1/my-memberships';

async function createUnit(tenant: TestTenant, name: string, slug?: string): Promise<string> {
  return (await tenant.api.post(UNITS, { name, slug })).body.bu_id;
}

async function slugsOf(client: Client): Promise<string[]> {
  const { body } = await client.get(UNITS);
  return body.business_units.map((unit: { slug: string }) => unit.slug);
}

async function themeCodes(client: Client): Promise<string[]> {
  const { body } = await client.post('/api/form_themes/list', { page: 1, limit: 100 });
  return body.results.map((theme: { code: string }) => theme.code);
}

async function createTheme(client: Client): Promise<string> {
  const { body } = await client.post('/api/form_themes', { name: 'Theme', formBuilderThemeOptions: {} });
  return body.code;
}

test('a unit is created with a unique slug derived from its name', async () => {
  const tenant = await app.createTenant();
  const { body } = await tenant.api.post(UNITS, { name: 'Zürich Süd' });
  assert.deepEqual(Object.keys(body), ['bu_id']);
  await createUnit(tenant, 'Zurich SUD');
  await createUnit(tenant, '東京');
  await createUnit(tenant, 'Default');
  assert.deepEqual(await slugsOf(tenant.api), ['default', 'zurich-sud', 'zurich-sud-2', 'unit', 'default-2']);
});

test('equal long names leave room for the suffix that makes their slugs unique', async () => {
  const tenant = await app.createTenant();
  for (const _unit of ['first', 'second', 'third']) await createUnit(tenant, 'a'.repeat(60));
  const [, ...slugs] = await slugsOf(tenant.api);
  assert.deepEqual(slugs, ['a'.repeat(60), `${'a'.repeat(58)}-2`, `${'a'.repeat(58)}-3`]);
});

test('units created concurrently with one name get different slugs', async () => {
  const tenant = await app.createTenant();
  await Promise.all(Array.from({ length: 6 }, () => createUnit(tenant, 'North')));
  assert.equal(new Set(await slugsOf(tenant.api)).size, 7);
});

test('a slug is unique in a tenant, including archived units, and independent of other tenants', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const unit = await createUnit(tenant, 'North', 'north_1');
  assert.equal(
    (await tenant.api.post(UNITS, { name: 'N', slug: 'north_1' }, 409)).body.code,
    'DUPLICATE_SLUG',
  );
  await tenant.api.post(UNITS, { name: 'N', slug: 'default' }, 409);
  await tenant.api.post(`${UNITS}/${unit}/archive`, undefined);
  await tenant.api.post(UNITS, { name: 'N', slug: 'north_1' }, 409);
  await createUnit(other, 'North', 'north_1');
});

test('a malformed unit is rejected by field', async () => {
  const { api } = await app.createTenant();
  const refuse = async (body: object, field: string) => {
    const answer = await api.post(UNITS, body, 400);
    assert.equal(answer.body.code, 'INVALID_REQUEST');
    assert.equal(answer.body.issues[0].field, field);
  };
  await refuse({}, 'name');
  await refuse({ name: '' }, 'name');
  await refuse({ name: 'x'.repeat(201) }, 'name');
  await refuse({ name: 5 }, 'name');
  for (const slug of ['', 'A', 'a b', 'x'.repeat(61), crypto.randomUUID()])
    await refuse({ name: 'N', slug }, 'slug');
  await api.post(UNITS, { name: 'x'.repeat(200), slug: 'x'.repeat(60) });
});

test('a renamed unit keeps its slug', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { body } = await tenant.api.put(`${UNITS}/${unit}`, { name: 'South' });
  assert.deepEqual(body, { bu_id: unit });
  const list = await tenant.api.get(UNITS);
  assert.deepEqual(list.body.business_units[1], {
    bu_id: unit,
    name: 'South',
    slug: 'north',
    is_default: false,
  });
  await tenant.api.put(`${UNITS}/${unit}`, {}, 400);
});

test('a rename with a stale version is rejected', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  await tenant.api.put(`${UNITS}/${unit}`, { name: 'A', version: 1 });
  const { body } = await tenant.api.put(`${UNITS}/${unit}`, { name: 'B', version: 1 }, 409);
  assert.equal(body.code, 'VERSION_CONFLICT');
});

test('Default can be neither renamed nor archived', async () => {
  const { api, defaultUnitId } = await app.createTenant();
  const renamed = await api.put(`${UNITS}/${defaultUnitId}`, { name: 'Main' }, 409);
  const archived = await api.post(`${UNITS}/${defaultUnitId}/archive`, undefined, 409);
  assert.deepEqual(
    [renamed.body.code, archived.body.code],
    ['DEFAULT_BUSINESS_UNIT', 'DEFAULT_BUSINESS_UNIT'],
  );
});

test('unknown, foreign, archived and malformed units all get 404', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const archived = await createUnit(tenant, 'Old');
  await tenant.api.post(`${UNITS}/${archived}/archive`, undefined);
  const foreign = await createUnit(other, 'Foreign');
  for (const unit of [crypto.randomUUID(), foreign, other.defaultUnitId, archived, 'nonsense', 'default']) {
    const answers = [
      await tenant.api.put(`${UNITS}/${unit}`, { name: 'X' }, 404),
      await tenant.api.post(`${UNITS}/${unit}/archive`, undefined, 404),
      await tenant.api.post(`${UNITS}/${unit}/activate`, undefined, 404),
    ];
    for (const { body } of answers) assert.deepEqual(body, { message: 'Not found.', code: 'NOT_FOUND' });
  }
});

test('an archived unit is listed for owners, and is restored with its records, grants and slug', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const member = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  const { id } = (await member.api.post('/api/lists', { name: 'Northern' })).body;
  const { business_units: before } = (await tenant.api.get(UNITS)).body;
  await tenant.api.post(`${UNITS}/${unit}/archive`, undefined);
  await member.api.get(`/api/lists/${id}`, 404);
  const archived = (await tenant.api.get(`${UNITS}?archived=true`)).body.business_units;
  assert.deepEqual(archived, [{ bu_id: unit, name: 'North', slug: 'north', is_default: false }]);
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual((await tenant.api.post(`${UNITS}/${unit}/restore`, undefined)).body, { bu_id: unit });
  assert.deepEqual((await tenant.api.get(UNITS)).body.business_units, before);
  assert.deepEqual((await tenant.api.get(`${UNITS}?archived=true`)).body.business_units, []);
  assert.equal((await member.api.get(`/api/lists/${id}`)).body.name, 'Northern');
  const query = `entityType=business_unit&entitySortKey=${unit}`;
  const versions = (await tenant.api.get(`/api/entity/versions?${query}`)).body;
  assert.deepEqual(
    versions.map(({ version }: { version: number }) => version),
    [1, 2, 3],
  );
});

test('only an owner lists archived units and restores one, and none of another tenant', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const unit = await createUnit(tenant, 'North');
  await tenant.api.post(`${UNITS}/${unit}/archive`, undefined);
  const { api: admin } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  await admin.get(`${UNITS}?archived=true`, 403);
  await admin.post(`${UNITS}/${unit}/restore`, undefined, 403);
  for (const id of [unit, crypto.randomUUID(), 'north'])
    await other.api.post(`${UNITS}/${id}/restore`, undefined, 404);
  await tenant.api.get(`${UNITS}?archived=maybe`, 400);
});

test('only an owner creates, renames and archives units', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { api: admin } = await createMember(tenant, [
    { bu_id: tenant.defaultUnitId, role: 'admin' },
    { bu_id: unit, role: 'admin' },
  ]);
  const answers = [
    await admin.post(UNITS, { name: 'X' }, 403),
    await admin.put(`${UNITS}/${unit}`, { name: 'X' }, 403),
    await admin.post(`${UNITS}/${unit}/archive`, undefined, 403),
  ];
  for (const { body } of answers) assert.equal(body.code, 'FORBIDDEN');
});

test('every unit call answers 401 without a key', async () => {
  await app.anonymous.get(UNITS, 401);
  await app.anonymous.get(MINE, 401);
  await app.anonymous.post(UNITS, { name: 'X' }, 401);
  await app.anonymous.put(`${UNITS}/x`, { name: 'X' }, 401);
  await app.anonymous.post(`${UNITS}/x/archive`, undefined, 401);
  await app.anonymous.post(`${UNITS}/x/activate`, undefined, 401);
});

test('a member sees its granted units and the id of Default', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  await createUnit(tenant, 'South');
  const { api: member } = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  assert.deepEqual((await member.get(UNITS)).body, {
    business_units: [{ bu_id: unit, name: 'North', slug: 'north', is_default: false }],
    is_tenant_admin: false,
    default_business_unit_id: tenant.defaultUnitId,
  });
  const { api: stranger } = await createMember(tenant, []);
  assert.deepEqual((await stranger.get(UNITS)).body.business_units, []);
});

test('an archived unit is removed from authorized units, and its records from reads', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { api: member } = await createMember(tenant, [
    { bu_id: unit, role: 'admin' },
    { bu_id: tenant.defaultUnitId, role: 'viewer' },
  ]);
  const theirs = await createTheme(await actingIn(member, unit));
  const remaining = await createTheme(tenant.api);
  assert.deepEqual((await themeCodes(tenant.api)).sort(), [theirs, remaining].sort());

  assert.deepEqual((await tenant.api.post(`${UNITS}/${unit}/archive`, undefined)).body, { bu_id: unit });

  for (const client of [tenant.api, member]) {
    assert.deepEqual(await slugsOf(client), ['default']);
    assert.deepEqual(await themeCodes(client), [remaining]);
    await client.get(`/api/form_themes/${theirs}`, 404);
    const history = await client.get(`/api/entity/versions?entityType=form_theme&entitySortKey=${theirs}`);
    assert.deepEqual(history.body, []);
  }
  await tenant.api.post(
    '/api/form_themes',
    { name: 'T', formBuilderThemeOptions: {}, business_unit: unit },
    403,
  );
});

test('an activated unit owns new records of its token for 12 hours', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const before = Date.now();
  const { body } = await tenant.api.post(`${UNITS}/${unit}/activate`, undefined);
  assert.deepEqual(Object.keys(body).sort(), ['bu_id', 'expires_at', 'token']);
  assert.equal(body.bu_id, unit);
  const lifetime = Date.parse(body.expires_at) - before;
  assert.ok(lifetime >= 12 * 3600_000 && lifetime < 12 * 3600_000 + 60_000);
  const { api: member } = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  const code = await createTheme(tenant.api.with({ 'x-business-unit': body.token }));
  await member.get(`/api/form_themes/${code}`);
});

test('activating a unit without a grant is 404', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { api: member } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  assert.equal((await member.post(`${UNITS}/${unit}/activate`, undefined, 404)).body.code, 'NOT_FOUND');
});

test('a forged, expired, foreign or revoked token answers 403 INVALID_BUSINESS_UNIT', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const unit = await createUnit(tenant, 'North');
  const tokenOf = async (client: Client, buId: string): Promise<string> =>
    (await client.post(`${UNITS}/${buId}/activate`, undefined)).body.token;
  const refuse = async (client: Client, token: string) => {
    const { body } = await client.with({ 'x-business-unit': token }).get(UNITS, 403);
    assert.equal(body.code, 'INVALID_BUSINESS_UNIT');
  };
  const own = await tokenOf(tenant.api, unit);
  await refuse(tenant.api, 'nonsense');
  await refuse(tenant.api, unit);
  await refuse(tenant.api, `${own.slice(0, -4)}AAAA`);
  await refuse(tenant.api, await tokenOf(other.api, other.defaultUnitId));
  const { api: member } = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  await refuse(member, own);
  const { results } = (await tenant.api.get('/api/client/v1/memberships')).body;
  const owner = results.find((each: { is_tenant_admin: boolean }) => each.is_tenant_admin);
  const caller = {
    tenantId: tenant.tenantId,
    membershipId: owner.membership_id,
    userId: owner.user_id,
    isTenantAdmin: true,
    units: [],
    reachesAllUnits: true,
    activeUnitId: null,
  };
  const longAgo = new Date(Date.now() - 12 * 3600_000 - 1000);
  await refuse(tenant.api, signActiveUnit(app.app.platform.tokens, caller, unit, longAgo).token);
  const theirs = await tokenOf(member, unit);
  await tenant.api.put(`/api/client/v1/memberships/${results[0].membership_id}`, { grants: [] });
  await refuse(member, theirs);
  await tenant.api.post(`${UNITS}/${unit}/archive`, undefined);
  await refuse(tenant.api, own);
});

test("a user's memberships in all tenants are listed, with their status", async () => {
  const [tenant, other, third] = [
    await app.createTenant(),
    await app.createTenant(),
    await app.createTenant(),
  ];
  const email = `owner@${tenant.code}.test`;
  await other.api.post('/api/client/v1/memberships', { email, name: 'X' });
  const inThird = await third.api.post('/api/client/v1/memberships', {
    email,
    name: 'X',
    is_tenant_admin: true,
  });
  await third.api.put(`/api/client/v1/memberships/${inThird.body.membership_id}`, { status: 'inactive' });
  const { body } = await tenant.api.get(MINE);
  const expected = [
    { of: tenant, is_tenant_admin: true, status: 'active' },
    { of: other, is_tenant_admin: false, status: 'active' },
    { of: third, is_tenant_admin: true, status: 'inactive' },
  ]
    .map(({ of, ...facts }) => ({
      tenant_id: of.tenantId,
      tenant_name: `Tenant ${of.code}`,
      tenant_code: of.code,
      ...facts,
    }))
    .sort((a, b) => (a.tenant_code < b.tenant_code ? -1 : 1));
  assert.deepEqual(body, { results: expected });
});

test('Default has one version from its tenant’s creation', async () => {
  const { api, defaultUnitId } = await app.createTenant();
  const { body } = await api.get(
    `/api/entity/versions?entityType=business_unit&entitySortKey=${defaultUnitId}`,
  );
  const data = { bu_id: defaultUnitId, name: 'Default', slug: 'default', is_default: true };
  assert.deepEqual(
    body.map((each: { version: number; data: object }) => [each.version, each.data]),
    [[1, data]],
  );
});

test('a tenant has no second Default', async () => {
  const { tenantId, defaultUnitId } = await app.createTenant();
  const db = app.app.platform.scoped(wholeTenant(tenantId)).query;
  const second = { bu_id: tenantId, name: 'Second', slug: 'second', is_default: true, version: 1 };
  const now = new Date();
  const insert = db
    .insertInto('business_units')
    .values({ ...second, tenant_id: tenantId, created_at: now, updated_at: now });
  await assert.rejects(insert.execute(), { code: '23505' });
  const defaults = db.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
  assert.deepEqual(await defaults.execute(), [{ bu_id: defaultUnitId }]);
});

test('creating, renaming and archiving a unit add one version each', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  await tenant.api.put(`${UNITS}/${unit}`, { name: 'South' });
  await tenant.api.post(`${UNITS}/${unit}/archive`, undefined);
  const { body } = await tenant.api.get(
    `/api/entity/versions?entityType=business_unit&entitySortKey=${unit}`,
  );
  const base = { bu_id: unit, slug: 'north', is_default: false };
  assert.deepEqual(
    body.map((each: { version: number; data: object }) => [each.version, each.data]),
    [
      [1, { ...base, name: 'North' }],
      [2, { ...base, name: 'South' }],
      [3, { ...base, name: 'South', archived_at: body[2].timestamp }],
    ],
  );
});
