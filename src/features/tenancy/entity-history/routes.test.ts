import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import type { Client } from '../../../../test/harness/client.ts';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { actingIn, createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { ENTITY_TYPES } from '../../../resources/entity-types.ts';
import { recordVersions } from '../../../resources/history.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';

const app = await startTestApp();
const VERSIONS = '/api/entity/versions';
const DELETED = '/api/entity/deleted-records';
const THEMES = '/api/form_themes';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function of(entityType: string, key: string): string {
  return `?entityType=${entityType}&entitySortKey=${encodeURIComponent(key)}`;
}

async function createTheme(client: Client, name = 'One'): Promise<string> {
  return (await client.post(THEMES, { name, formBuilderThemeOptions: { b: 1, a: 2 } })).body.code;
}

async function renameTheme(client: Client, code: string, name: string): Promise<void> {
  await client.put(`${THEMES}/${code}`, { name, formBuilderThemeOptions: {} });
}

async function versionsOf(client: Client, code: string) {
  return (await client.get(VERSIONS + of('form_theme', code))).body;
}

const actor = { kind: 'operator' } as const;

/** Writes history of a kind that no feature of this process writes. */
async function record(tenant: TestTenant, entityType: 'email_settings', sortKey: string): Promise<void> {
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  const entry = { entityType, sortKey, version: 1, ownerBuId: null, recordedAt: new Date(), data: { a: 1 } };
  await recordVersions({ actor, db }, [entry]);
}

test('the versions of a record are listed oldest first, each as GET returned it', async () => {
  const { api, ownerUserId } = await app.createTenant();
  const [owner] = (await api.get('/api/client/v1/memberships')).body.results;
  const code = await createTheme(api);
  const first = (await api.get(`${THEMES}/${code}`)).body;
  await renameTheme(api, code, 'Two');
  const second = (await api.get(`${THEMES}/${code}`)).body;
  const body = await versionsOf(api, code);
  for (const entry of body) assert.match(entry.timestamp, ISO);
  const actor = { kind: 'member', membership_id: owner.membership_id, user_id: ownerUserId, name: 'Owner' };
  assert.deepEqual(body, [
    { version: 1, timestamp: body[0].timestamp, data: first, actor },
    { version: 2, timestamp: body[1].timestamp, data: second, actor },
  ]);
});

test('one version is read by its number', async () => {
  const { api } = await app.createTenant();
  const code = await createTheme(api);
  await renameTheme(api, code, 'Two');
  const [first, second] = await versionsOf(api, code);
  assert.deepEqual((await api.get(`${VERSIONS}/1${of('form_theme', code)}`)).body, first);
  assert.deepEqual((await api.get(`${VERSIONS}/2${of('form_theme', code)}`)).body, second);
});

test('a version that is not an integer is 400, a missing one 404', async () => {
  const { api } = await app.createTenant();
  const code = await createTheme(api);
  for (const version of ['one', '1.5', '1e0', '0x1', '%20', 'null']) {
    const { body } = await api.get(`${VERSIONS}/${version}${of('form_theme', code)}`, 400);
    assert.equal(body.code, 'INVALID_REQUEST');
  }
  for (const version of ['2', '0', '-1', '2147483648', '9'.repeat(300)]) {
    const { body } = await api.get(`${VERSIONS}/${version}${of('form_theme', code)}`, 404);
    assert.equal(body.code, 'NOT_FOUND');
  }
  await api.get(`${VERSIONS}/1${of('form_theme', 'unknown')}`, 404);
});

test('an unknown key, or the key of another kind, has no versions', async () => {
  const { api } = await app.createTenant();
  const code = await createTheme(api);
  for (const query of [of('form_theme', 'unknown'), of('form', code), of('form_theme', "x' or 1=1 --")])
    assert.deepEqual((await api.get(VERSIONS + query)).body, []);
});

test('every documented kind is accepted; another or a missing one is 400', async () => {
  const { api } = await app.createTenant();
  for (const type of ENTITY_TYPES) {
    await api.get(VERSIONS + of(type, 'x'));
    await api.get(`${DELETED}?entityType=${type}`);
  }
  const refused = [
    `${VERSIONS}${of('nonsense', 'x')}`,
    `${VERSIONS}${of('', 'x')}`,
    `${VERSIONS}?entityType=form`,
    `${VERSIONS}${of('form', '')}`,
    `${VERSIONS}?entitySortKey=x`,
    `${VERSIONS}/1${of('nonsense', 'x')}`,
    `${VERSIONS}/1?entityType=form`,
    `${DELETED}?entityType=nonsense`,
    DELETED,
  ];
  for (const path of refused) assert.equal((await api.get(path, 400)).body.code, 'INVALID_REQUEST');
  const { body } = await api.get(`${VERSIONS}?entityType=nonsense`, 400);
  assert.deepEqual(body.issues.map((issue: { field: string }) => issue.field).sort(), [
    'entitySortKey',
    'entityType',
  ]);
});

test('history answers 401 without a key', async () => {
  for (const path of [
    VERSIONS + of('form', 'x'),
    `${VERSIONS}/1${of('form', 'x')}`,
    `${DELETED}?entityType=form`,
  ])
    assert.equal((await app.anonymous.get(path, 401)).body.code, 'UNAUTHORIZED');
});

test('a deleted record and its former versions are listed newest first; its versions stay', async () => {
  const { api, code: tenantCode } = await app.createTenant();
  const code = await createTheme(api);
  for (const name of ['Two', 'Three']) await renameTheme(api, code, name);
  await createTheme(api, 'Kept');
  assert.deepEqual((await api.get(`${DELETED}?entityType=form_theme`)).body, []);
  const versions = await versionsOf(api, code);
  await api.delete(`${THEMES}/${code}`);
  const { body } = await api.get(`${DELETED}?entityType=form_theme`);
  const pk = `${tenantCode}#form_theme`;
  assert.match(body[0].timestamp, ISO);
  assert.deepEqual(body, [
    { pk: `${pk}#DELETED`, sk: code, entity: versions[2].data, timestamp: body[0].timestamp },
    {
      pk: `${pk}#UPDATED`,
      sk: `${code}#VERSION-2`,
      entity: versions[1].data,
      timestamp: versions[1].timestamp,
    },
    {
      pk: `${pk}#UPDATED`,
      sk: `${code}#VERSION-1`,
      entity: versions[0].data,
      timestamp: versions[0].timestamp,
    },
  ]);
  assert.deepEqual(await versionsOf(api, code), versions);
  await api.get(`${VERSIONS}/3${of('form_theme', code)}`);
});

test('deleted records show the newest 1000 entries', async () => {
  const tenant = await app.createTenant();
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  const at = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString();
  const entryOf = (number: number) => ({
    entityType: 'form' as const,
    sortKey: `f${number}`,
    version: 2,
    ownerBuId: tenant.defaultUnitId,
    recordedAt: at(number),
    data: {},
  });
  const deleted = Array.from({ length: 1010 }, (_, number) => entryOf(number));
  await recordVersions({ actor, db }, deleted, true);
  const versionOf = (number: number, recordedAt: string) => ({
    entityType: 'form' as const,
    sortKey: `f${number}`,
    version: 1,
    ownerBuId: tenant.defaultUnitId,
    recordedAt,
    data: {},
  });
  await recordVersions({ actor, db }, [versionOf(1009, at(1008)), versionOf(1008, at(0))]);
  const { body } = await tenant.api.get(`${DELETED}?entityType=form`);
  assert.equal(body.length, 1000);
  const keys = body.map((each: { sk: string }) => each.sk);
  assert.deepEqual(new Set(keys.slice(0, 3)), new Set(['f1009', 'f1008', 'f1009#VERSION-1']));
  assert.equal(keys[0], 'f1009');
  assert.equal(keys.at(-1), 'f11');
});

test('history of another tenant is not accessible', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const code = await createTheme(tenant.api);
  await tenant.api.delete(`${THEMES}/${code}`);
  assert.deepEqual(await versionsOf(other.api, code), []);
  await other.api.get(`${VERSIONS}/1${of('form_theme', code)}`, 404);
  assert.deepEqual((await other.api.get(`${DELETED}?entityType=form_theme`)).body, []);
});

test('history follows the record’s business unit', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const inside = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  const outside = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const ungranted = await createMember(tenant, []);
  const code = await createTheme(await actingIn(tenant.api, unit));
  await tenant.api.delete(`${THEMES}/${code}`);
  for (const [client, isVisible] of [
    [tenant.api, true],
    [inside.api, true],
    [outside.api, false],
    [ungranted.api, false],
  ] as const) {
    assert.equal((await versionsOf(client, code)).length, isVisible ? 1 : 0);
    await client.get(`${VERSIONS}/1${of('form_theme', code)}`, isVisible ? 200 : 404);
    const deleted = (await client.get(`${DELETED}?entityType=form_theme`)).body;
    assert.equal(deleted.length, isVisible ? 1 : 0);
  }
});

test('every member with a unit reads history of what the tenant owns', async () => {
  const tenant = await app.createTenant();
  await record(tenant, 'email_settings', 'email_settings');
  const member = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const ungranted = await createMember(tenant, []);
  const query = VERSIONS + of('email_settings', 'email_settings');
  for (const client of [tenant.api, member.api]) assert.equal((await client.get(query)).body.length, 1);
  assert.deepEqual((await ungranted.api.get(query)).body, []);
});

test('only owners read history of memberships and grants', async () => {
  const tenant = await app.createTenant();
  const admin = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const { results } = (await tenant.api.get('/api/client/v1/memberships')).body;
  const [member] = results;
  const [grant] = member.grants;
  await tenant.api.put(`/api/client/v1/memberships/${admin.membershipId}`, {
    grants: [{ bu_id: await createUnit(tenant, 'North'), role: 'admin' }],
  });
  for (const [type, key] of [
    ['tenant_membership', member.membership_id],
    ['business_unit_grant', grant.id],
  ]) {
    assert.ok((await tenant.api.get(VERSIONS + of(type, key))).body.length > 0);
    assert.deepEqual((await admin.api.get(VERSIONS + of(type, key))).body, []);
    await admin.api.get(`${VERSIONS}/1${of(type, key)}`, 404);
    assert.deepEqual((await admin.api.get(`${DELETED}?entityType=${type}`)).body, []);
  }
  const { body } = await tenant.api.get(`${DELETED}?entityType=business_unit_grant`);
  assert.equal(body[0].sk, grant.id);
});

test('owners read history of all units, including archived ones; others read that of granted units', async () => {
  const tenant = await app.createTenant();
  const [granted, other] = [await createUnit(tenant, 'North'), await createUnit(tenant, 'South')];
  const member = await createMember(tenant, [{ bu_id: granted, role: 'viewer' }]);
  const count = async (client: Client, unit: string) =>
    (await client.get(VERSIONS + of('business_unit', unit))).body.length;
  assert.deepEqual([await count(member.api, granted), await count(member.api, other)], [1, 0]);
  await tenant.api.post(`/api/client/v1/business-units/${granted}/archive`, undefined);
  assert.deepEqual([await count(tenant.api, granted), await count(tenant.api, other)], [2, 1]);
  assert.equal(await count(member.api, granted), 0);
});

test('other units cannot see versions from before a deleted record was shared', async () => {
  const tenant = await createMailTenant(app);
  const [own, other] = [await createUnit(tenant, 'Own'), await createUnit(tenant, 'Other')];
  const owner = await actingIn(tenant.api, own);
  const template = { name: 'Private', from_email: `shop@${tenant.domain}`, transactional: true };
  const { id } = (await owner.post('/api/templates', template)).body;
  await owner.put(`/api/templates/${id}`, { ...template, name: 'Shared', shared: true });
  await owner.delete(`/api/templates/${id}`);
  const reader = await createMember(tenant, [{ bu_id: other, role: 'viewer' }]);
  const { body } = await reader.api.get(`${DELETED}?entityType=email_template`);
  assert.deepEqual(
    body.map(({ entity }: { entity: { name: string } }) => entity.name),
    ['Shared'],
  );
});

/** Writes a theme's entry that fills a response by itself, and a small one after it. */
async function recordLarge({ tenantId }: TestTenant, deleted: boolean): Promise<void> {
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  await sql`insert into record_history (tenant_id, entity_type, sort_key, version, deleted, recorded_at, data)
    select tenant_row.tenant_id, 'form_theme', case when ${deleted} then 'theme' || version else 'theme' end, version, ${deleted},
      now() + make_interval(secs => version), json_build_object('text', repeat('x', characters))
    from (values (1, 64 * 1024 * 1024), (2, 10)) as entry (version, characters)
    cross join ${tenantRow(tenantId)}`.execute(everyTenant);
}

test('versions too large to hold together are rejected, and can be read one by one', async () => {
  const tenant = await app.createTenant();
  await recordLarge(tenant, false);
  await tenant.api.get(VERSIONS + of('form_theme', 'theme'), 422);
  const { body } = await tenant.api.get(`${VERSIONS}/2${of('form_theme', 'theme')}`);
  assert.equal(body.version, 2);
});

test('the newest of deleted records too large to hold together are listed', async () => {
  const tenant = await app.createTenant();
  await recordLarge(tenant, true);
  const { body } = await tenant.api.get(`${DELETED}?entityType=form_theme`);
  assert.deepEqual(
    body.map(({ sk }: { sk: string }) => sk),
    ['theme2'],
  );
});

test('large versions are returned completely, like individual reads, also after deletion', async () => {
  const { api } = await app.createTenant();
  const body = (size: number) => ({ name: `ä${size}`, formBuilderThemeOptions: { text: 'ä"'.repeat(size) } });
  const { code } = (await api.post(THEMES, body(10))).body;
  for (const size of [300_000, 100, 350_000]) await api.put(`${THEMES}/${code}`, body(size));
  const expected: { readonly data: unknown }[] = [];
  for (const version of [1, 2, 3, 4])
    expected.push((await api.get(`${VERSIONS}/${version}${of('form_theme', code)}`)).body);
  assert.deepEqual(await versionsOf(api, code), expected);
  await api.delete(`${THEMES}/${code}`);
  const { body: deleted } = await api.get(`${DELETED}?entityType=form_theme`);
  assert.deepEqual(
    deleted.map(({ sk, entity }: { sk: string; entity: unknown }) => [sk, entity]),
    [4, 3, 2, 1].map((n) => [n === 4 ? code : `${code}#VERSION-${n}`, expected[n - 1]?.data]),
  );
});
