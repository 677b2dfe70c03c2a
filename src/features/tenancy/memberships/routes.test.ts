import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit, toSession } from '../../../../test/harness/members.ts';
import { PASSWORD, startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { verifyPassword } from '../../../secrets/passwords.ts';

const app = await startTestApp();
const PATH = '/api/client/v1/memberships';
const UNITS = '/api/client/v1/business-units';

interface ListedGrant {
  id: string;
  membership_id: string;
  bu_id: string;
  role: string;
  created_at: string;
}

interface Listed {
  membership_id: string;
  email: string;
  grants: ListedGrant[];
  [field: string]: unknown;
}

async function list(tenant: TestTenant): Promise<Listed[]> {
  return (await tenant.api.get(PATH)).body.results;
}

async function find(tenant: TestTenant, membershipId: string): Promise<Listed> {
  const found = (await list(tenant)).find((each) => each.membership_id === membershipId);
  assert.ok(found);
  return found;
}

/** Returns a member of the list as history records it. */
async function findRecorded(tenant: TestTenant, membershipId: string): Promise<object> {
  const { last_seen_at: _, ...recorded } = await find(tenant, membershipId);
  return recorded;
}

async function ownerOf(tenant: TestTenant): Promise<string> {
  const owner = (await list(tenant)).find((each) => each.user_id === tenant.ownerUserId);
  assert.ok(owner);
  return owner.membership_id;
}

async function history(tenant: TestTenant, entityType: string, key: string) {
  const query = `entityType=${entityType}&entitySortKey=${key}`;
  const { body } = await tenant.api.get(`/api/entity/versions?${query}`);
  return body.map((each: { version: number; data: object }) => [each.version, each.data]);
}

async function userOf(userId: string) {
  return app.app.platform.database
    .everyTenant('tests')
    .query.selectFrom('users')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
}

test('a new user is added with grants and listed according to the contract', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { body } = await tenant.api.post(PATH, {
    email: 'New.User@x.test',
    name: 'Nia',
    password: 'a fine password',
    grants: [{ bu_id: unit, role: 'editor' }],
  });
  assert.deepEqual(Object.keys(body), ['membership_id', 'user_id']);
  const [listed, owner] = await list(tenant);
  const [grant] = listed?.grants ?? [];
  for (const createdAt of [listed?.created_at, grant?.created_at])
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(listed, {
    membership_id: body.membership_id,
    user_id: body.user_id,
    email: 'New.User@x.test',
    name: 'Nia',
    is_tenant_admin: false,
    status: 'active',
    grants: [
      {
        id: grant?.id,
        membership_id: body.membership_id,
        bu_id: unit,
        role: 'editor',
        created_at: grant?.created_at,
      },
    ],
    created_at: listed?.created_at,
    last_seen_at: null,
  });
  assert.equal(owner?.user_id, tenant.ownerUserId);
  assert.ok(await verifyPassword('a fine password', (await userOf(body.user_id)).password_hash ?? ''));
});

test('a user of another tenant joins with their own name and password', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const before = await userOf(other.ownerUserId);
  const { body } = await tenant.api.post(PATH, {
    email: before.email.toUpperCase(),
    name: 'Mallory',
    password: 'taking it over',
  });
  assert.equal(body.user_id, other.ownerUserId);
  assert.deepEqual(await userOf(other.ownerUserId), before);
});

test('one user may be a member of two tenants, each with its own rights', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const one = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { email, user_id } = await find(tenant, one.membershipId);
  const two = await createMember(other, [], { email, is_tenant_admin: true });
  assert.equal((await find(other, two.membershipId)).user_id, user_id);
  assert.equal((await one.api.get('/api/tenant/info')).body.code, tenant.code);
  assert.equal((await two.api.get('/api/tenant/info')).body.code, other.code);
  await one.api.get(PATH, 403);
  await two.api.get(PATH);
});

test('a second membership of one user is rejected, in any letter case', async () => {
  const tenant = await app.createTenant();
  const email = `again@${tenant.code}.test`;
  await createMember(tenant, [], { email });
  for (const again of [email, email.toUpperCase()]) {
    const { body } = await tenant.api.post(PATH, { email: again, name: 'X' }, 409);
    assert.equal(body.code, 'DUPLICATE_MEMBERSHIP');
  }
});

test('only one of two concurrent additions of one user succeeds', async () => {
  const tenant = await app.createTenant();
  const body = { email: 'twice@x.test', name: 'T' };
  const answers = await Promise.all([1, 2].map(() => tenant.api.send('POST', PATH, { body })));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409]);
});

test('a malformed membership is rejected by field', async () => {
  const { api } = await app.createTenant();
  const valid = { email: 'v@x.test', name: 'V' };
  const refuse = async (change: object, field: string) => {
    const { body } = await api.post(PATH, { ...valid, ...change }, 400);
    assert.equal(body.code, 'INVALID_REQUEST');
    assert.equal(body.issues[0].field, field);
  };
  await refuse({ email: 'nobody' }, 'email');
  await refuse({ email: `${'a'.repeat(250)}@x.test` }, 'email');
  await refuse({ name: '' }, 'name');
  await refuse({ name: 'x'.repeat(201) }, 'name');
  await refuse({ password: '1234567' }, 'password');
  await refuse({ is_tenant_admin: 'yes' }, 'is_tenant_admin');
  await refuse({ grants: {} }, 'grants');
  await refuse({ grants: [{ bu_id: 'x', role: 'boss' }] }, 'grants[0].role');
  await refuse({ grants: [{ role: 'viewer' }] }, 'grants[0].bu_id');
  const missing = await api.post(PATH, {}, 400);
  assert.deepEqual(missing.body.issues.map((issue: { field: string }) => issue.field).sort(), [
    'email',
    'name',
  ]);
});

test('a grant in an unknown, foreign or archived unit, or two in one unit, are 422 by path', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const archived = await createUnit(tenant, 'Old');
  await tenant.api.post(`${UNITS}/${archived}/archive`, undefined);
  const { membershipId } = await createMember(tenant, []);
  const fine = { bu_id: tenant.defaultUnitId, role: 'viewer' };
  for (const bu_id of [crypto.randomUUID(), other.defaultUnitId, archived, 'default', tenant.defaultUnitId]) {
    const grants = [fine, { bu_id, role: 'editor' }];
    const answers = [
      await tenant.api.post(PATH, { email: 'g@x.test', name: 'G', grants }, 422),
      await tenant.api.put(`${PATH}/${membershipId}`, { grants }, 422),
    ];
    for (const { body } of answers) {
      assert.equal(body.code, 'VALIDATION_ERROR');
      assert.equal(body.issues[0].field, 'grants[1].bu_id');
    }
  }
  assert.deepEqual((await find(tenant, membershipId)).grants, []);
  assert.ok(
    !(await list(tenant)).some((each) => each.email === 'g@x.test'),
    'nothing stays of a refused one',
  );
});

test('a membership is read by its id as in the list', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { membershipId } = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  const { status, body } = await tenant.api.get(`${PATH}/${membershipId}`);
  assert.equal(status, 200);
  assert.deepEqual(body, await find(tenant, membershipId));
});

test('an unknown, foreign or malformed membership is 404', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  for (const id of [crypto.randomUUID(), await ownerOf(other), 'nonsense']) {
    const { body } = await tenant.api.put(`${PATH}/${id}`, { status: 'active' }, 404);
    assert.equal(body.code, 'NOT_FOUND');
    await tenant.api.delete(`${PATH}/${id}`, 404);
  }
});

test('only owners manage memberships: 403 for others, 401 without a key', async () => {
  const tenant = await app.createTenant();
  const member = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  for (const [client, status] of [
    [member.api, 403],
    [app.anonymous, 401],
  ] as const) {
    await client.get(PATH, status);
    await client.post(PATH, { email: 'a@b.test', name: 'A' }, status);
    await client.put(`${PATH}/${member.membershipId}`, { is_tenant_admin: true }, status);
    await client.delete(`${PATH}/${member.membershipId}`, status);
  }
});

test('a removed user has no key, session or grant left, and history records it', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const grants = [{ bu_id: tenant.defaultUnitId, role: 'editor' } as const];
  const member = await createMember(tenant, grants);
  await other.api.post(PATH, { email: member.email, name: 'Ignored' });
  const { bearer } = toSession(
    app.url,
    (
      await app.anonymous.post('/auth/login', {
        email: member.email,
        password: PASSWORD,
        tenant_code: tenant.code,
      })
    ).body,
  );
  const removed = await tenant.api.delete(`${PATH}/${member.membershipId}`);
  assert.deepEqual(removed.body, { membership_id: member.membershipId });
  await member.api.get('/api/tenant/info', 401);
  await bearer.get('/api/openapi.json', 401);
  assert.ok(!(await list(tenant)).some(({ email }) => email === member.email));
  assert.ok((await list(other)).some(({ email }) => email === member.email));
  const gone = (await tenant.api.get('/api/entity/deleted-records?entityType=tenant_membership')).body;
  assert.match(JSON.stringify(gone), new RegExp(member.membershipId));
  await tenant.api.delete(`${PATH}/${member.membershipId}`, 404);
  const again = await tenant.api.post(PATH, { email: member.email, name: 'Ignored', grants });
  assert.notEqual(again.body.membership_id, member.membershipId);
});

test('the last active owner cannot be removed, one of two can', async () => {
  const tenant = await app.createTenant();
  const owner = await ownerOf(tenant);
  assert.equal((await tenant.api.delete(`${PATH}/${owner}`, 409)).body.code, 'LAST_TENANT_ADMIN');
  const second = { email: `second@${tenant.code}.test`, name: 'Second', is_tenant_admin: true };
  const { membership_id } = (await tenant.api.post(PATH, second)).body;
  await tenant.api.delete(`${PATH}/${membership_id}`);
  await tenant.api.delete(`${PATH}/${owner}`, 409);
});

test('a new set of grants replaces the old one and leaves equal grants unchanged', async () => {
  const tenant = await app.createTenant();
  const [kept, changed, removed, added] = [
    await createUnit(tenant, 'A'),
    await createUnit(tenant, 'B'),
    await createUnit(tenant, 'C'),
    await createUnit(tenant, 'D'),
  ];
  const { membershipId, api } = await createMember(tenant, [
    { bu_id: kept, role: 'viewer' },
    { bu_id: changed, role: 'viewer' },
    { bu_id: removed, role: 'admin' },
  ]);
  const before = new Map((await find(tenant, membershipId)).grants.map((grant) => [grant.bu_id, grant]));
  const grants = [
    { bu_id: added, role: 'editor' },
    { bu_id: changed, role: 'admin' },
    { bu_id: kept, role: 'viewer' },
  ];
  assert.deepEqual((await tenant.api.put(`${PATH}/${membershipId}`, { grants })).body, {
    membership_id: membershipId,
  });
  const after = new Map((await find(tenant, membershipId)).grants.map((grant) => [grant.bu_id, grant]));
  assert.deepEqual([...after.keys()].sort(), [kept, changed, added].sort());
  assert.deepEqual(after.get(kept), before.get(kept));
  assert.deepEqual(after.get(changed), { ...before.get(changed), role: 'admin' });
  assert.equal(after.get(added)?.role, 'editor');
  const units = (await api.get(UNITS)).body.business_units;
  assert.deepEqual(
    units.map((unit: { bu_id: string }) => unit.bu_id),
    [kept, changed, added],
  );

  const id = (bu: string) => before.get(bu)?.id ?? '';
  assert.deepEqual(await history(tenant, 'business_unit_grant', id(kept)), [[1, before.get(kept)]]);
  assert.deepEqual(await history(tenant, 'business_unit_grant', id(changed)), [
    [1, before.get(changed)],
    [2, after.get(changed)],
  ]);
  const { body: deleted } = await tenant.api.get(
    '/api/entity/deleted-records?entityType=business_unit_grant',
  );
  assert.deepEqual(
    deleted.map((each: { sk: string; entity: object }) => [each.sk, each.entity]),
    [[id(removed), before.get(removed)]],
  );
});

test('members omitted from an update stay', async () => {
  const tenant = await app.createTenant();
  const { membershipId } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const before = await find(tenant, membershipId);
  await tenant.api.put(`${PATH}/${membershipId}`, {});
  assert.deepEqual(await find(tenant, membershipId), before);
  await tenant.api.put(`${PATH}/${membershipId}`, { is_tenant_admin: true });
  assert.deepEqual(await find(tenant, membershipId), { ...before, is_tenant_admin: true });
  await tenant.api.put(`${PATH}/${membershipId}`, { grants: [] });
  assert.deepEqual(await find(tenant, membershipId), { ...before, is_tenant_admin: true, grants: [] });
});

test('a set of grants can be sent back after one of its units was archived', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'Old');
  const { membershipId } = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  await tenant.api.post(`${UNITS}/${unit}/archive`, undefined);
  const { grants } = await find(tenant, membershipId);
  await tenant.api.put(`${PATH}/${membershipId}`, { grants });
  assert.deepEqual((await find(tenant, membershipId)).grants, grants);
});

test('a malformed update is rejected by field, a stale version with 409', async () => {
  const tenant = await app.createTenant();
  const { membershipId } = await createMember(tenant, []);
  const path = `${PATH}/${membershipId}`;
  for (const [change, field] of [
    [{ status: 'asleep' }, 'status'],
    [{ is_tenant_admin: 1 }, 'is_tenant_admin'],
    [{ grants: null }, 'grants'],
  ] as const) {
    const { body } = await tenant.api.put(path, change, 400);
    assert.equal(body.issues[0].field, field);
  }
  await tenant.api.put(path, { version: 1 });
  assert.equal((await tenant.api.put(path, { version: 1 }, 409)).body.code, 'VERSION_CONFLICT');
});

test('an inactive membership gets 401 immediately and works again when active', async () => {
  const tenant = await app.createTenant();
  const member = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const path = `${PATH}/${member.membershipId}`;
  const { token } = (await member.api.post(`${UNITS}/${tenant.defaultUnitId}/activate`, undefined)).body;
  const acting = member.api.with({ 'x-business-unit': token });
  await acting.get(UNITS);
  await tenant.api.put(path, { status: 'inactive' });
  assert.equal((await member.api.get(UNITS, 401)).body.code, 'UNAUTHORIZED');
  await acting.get(UNITS, 401);
  assert.equal((await find(tenant, member.membershipId)).status, 'inactive');
  await tenant.api.put(path, { status: 'active' });
  await acting.get(UNITS);
});

test('the last active owner can be neither deactivated nor demoted', async () => {
  const tenant = await app.createTenant();
  const owner = `${PATH}/${await ownerOf(tenant)}`;
  await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const inactive = await createMember(tenant, [], { is_tenant_admin: true });
  await tenant.api.put(`${PATH}/${inactive.membershipId}`, { status: 'inactive' });
  for (const change of [{ status: 'inactive' }, { is_tenant_admin: false }]) {
    const { body } = await tenant.api.put(owner, change, 409);
    assert.equal(body.code, 'LAST_TENANT_ADMIN');
  }
  await tenant.api.put(owner, { is_tenant_admin: true, status: 'active' });
  await tenant.api.put(`${PATH}/${inactive.membershipId}`, { status: 'active' });
  await tenant.api.put(owner, { is_tenant_admin: false });
  await tenant.api.get(PATH, 403);
  const last = await inactive.api.put(`${PATH}/${inactive.membershipId}`, { status: 'inactive' }, 409);
  assert.equal(last.body.code, 'LAST_TENANT_ADMIN');
});

test('of owners who demote each other concurrently one remains', async () => {
  for (let round = 0; round < 5; round += 1) {
    const tenant = await app.createTenant();
    const second = await createMember(tenant, [], { is_tenant_admin: true });
    const owner = await ownerOf(tenant);
    const body = { is_tenant_admin: false };
    const answers = await Promise.all([
      tenant.api.send('PUT', `${PATH}/${second.membershipId}`, { body }),
      tenant.api.send('PUT', `${PATH}/${owner}`, { body }),
    ]);
    const [won, lost] = answers.map(({ status }) => status).sort();
    assert.equal(won, 200);
    // A later call is rejected, because its caller is no longer an owner.
    assert.ok(lost === 409 || lost === 403, `${lost}`);
  }
});

test("every write of a membership adds a version equal to the list's item, but for its last use", async () => {
  const tenant = await app.createTenant();
  const { membershipId } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const first = await findRecorded(tenant, membershipId);
  await tenant.api.put(`${PATH}/${membershipId}`, { status: 'inactive', grants: [] });
  const second = await findRecorded(tenant, membershipId);
  assert.deepEqual(await history(tenant, 'tenant_membership', membershipId), [
    [1, first],
    [2, second],
  ]);
  const owner = await ownerOf(tenant);
  assert.deepEqual(await history(tenant, 'tenant_membership', owner), [
    [1, await findRecorded(tenant, owner)],
  ]);
});

test('a repeated addition with one Idempotency-Key gets the first response', async () => {
  const tenant = await app.createTenant();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const body = { email: 'once@x.test', name: 'O' };
  const first = await tenant.api.post(PATH, body, 200, { headers });
  assert.deepEqual((await tenant.api.post(PATH, body, 200, { headers })).body, first.body);
});
