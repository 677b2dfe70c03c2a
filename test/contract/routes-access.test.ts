/** Who may call: every route of the table, with every kind of credential. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { unit } from '../../src/features/business-units/samples.ts';
import type { Route } from '../../src/http/route.ts';
import { signActiveUnit } from '../../src/tenancy/active-unit.ts';
import type { Caller } from '../../src/tenancy/caller.ts';
import type { Client } from '../harness/client.ts';
import { actingIn, createMember } from '../harness/members.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { assertError, callRoute } from './route-calls.ts';
import { allRoutes, createWorld, requestTo } from './world.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const other = await app.createTenant();
const names = await createWorld(tenant, receiver.url);

const keyRoutes = allRoutes.filter((route) => !['public', 'operator'].includes(route.access));
const operatorRoutes = allRoutes.filter((route) => route.access === 'operator');
const accessed = (...kinds: Route['access'][]) => allRoutes.filter((route) => kinds.includes(route.access));

/** Fails unless the client gets this error from each of the routes. */
async function assertRefused(routes: readonly Route[], client: Client, status: number, code: string) {
  assert.notEqual(routes.length, 0);
  for (const route of routes) {
    assertError(route, await callRoute(client, route, requestTo(route, names)), status, code);
  }
}

test('without a key every route that needs one answers 401', async () => {
  await assertRefused(keyRoutes, app.anonymous, 401, 'UNAUTHORIZED');
});

test('a key that is unknown, altered, cut or no key at all answers 401', async () => {
  const last = tenant.apiKey.endsWith('A') ? 'B' : 'A';
  const wrong = [
    `tsk_${'a'.repeat(16)}_${'A'.repeat(43)}`,
    `${tenant.apiKey.slice(0, -2)}${last}A`,
    tenant.apiKey.slice(0, -1),
    `${tenant.apiKey}, ${tenant.apiKey}`,
    "' or '1'='1",
    'x'.repeat(4000),
    '',
  ];
  for (const key of wrong)
    await assertRefused(keyRoutes, app.anonymous.with({ 'x-api-key': key }), 401, 'UNAUTHORIZED');
});

test('a revoked key answers 401 everywhere at once', async () => {
  const member = await createMember(tenant, [{ bu_id: names(unit), role: 'admin' }]);
  await member.api.get('/api/tenant/info');
  await tenant.api.delete(`/api/client/v1/api-keys/${member.keyId}`);
  await assertRefused(keyRoutes, member.api, 401, 'UNAUTHORIZED');
});

test('the key of an inactive membership answers 401 everywhere at once', async () => {
  const member = await createMember(tenant, [{ bu_id: names(unit), role: 'admin' }]);
  await tenant.api.put(`/api/client/v1/memberships/${member.membershipId}`, { status: 'inactive' });
  await assertRefused(keyRoutes, member.api, 401, 'UNAUTHORIZED');
});

test('operator routes answer 401 without the token, with another one and with a key', async () => {
  await assertRefused(operatorRoutes, app.anonymous, 401, 'UNAUTHORIZED');
  await assertRefused(operatorRoutes, tenant.api, 401, 'UNAUTHORIZED');
  for (const authorization of ['Bearer wrong', 'Bearer', 'Bearer test-admin-tokem', 'test-admin-token'])
    await assertRefused(operatorRoutes, app.anonymous.with({ authorization }), 401, 'UNAUTHORIZED');
});

test('the operator token opens no route that needs a key', async () => {
  await assertRefused(keyRoutes, app.admin, 401, 'UNAUTHORIZED');
});

test('a request with both credentials answers 400', async () => {
  const both = tenant.api.with({ authorization: 'Bearer something' });
  await assertRefused(keyRoutes, both, 400, 'INVALID_REQUEST');
});

test('a viewer is refused wherever more than reading is asked', async () => {
  const viewer = await createMember(tenant, [{ bu_id: names(unit), role: 'viewer' }]);
  await assertRefused(accessed('editor', 'admin', 'owner'), viewer.api, 403, 'FORBIDDEN');
  await assertRefused(
    accessed('editor', 'admin', 'owner'),
    await actingIn(viewer.api, names(unit)),
    403,
    'FORBIDDEN',
  );
});

test('an editor is refused wherever an admin or an owner is asked', async () => {
  const editor = await createMember(tenant, [{ bu_id: names(unit), role: 'editor' }]);
  await assertRefused(accessed('admin', 'owner'), editor.api, 403, 'FORBIDDEN');
});

test('an admin of every unit is refused wherever an owner is asked', async () => {
  const admin = await createMember(tenant, [
    { bu_id: names(unit), role: 'admin' },
    { bu_id: tenant.defaultUnitId, role: 'admin' },
  ]);
  await assertRefused(accessed('owner'), admin.api, 403, 'FORBIDDEN');
});

test('a member without any grant is refused every create', async () => {
  const nobody = await createMember(tenant, []);
  const creates = accessed('editor', 'admin', 'owner').filter(({ params }) => params === undefined);
  await assertRefused(creates, nobody.api, 403, 'FORBIDDEN');
});

test('a member without any grant changes no record and learns of none', async () => {
  const nobody = await createMember(tenant, []);
  for (const route of accessed('editor', 'admin', 'owner').filter(({ params }) => params !== undefined)) {
    const answer = await callRoute(nobody.api, route, requestTo(route, names));
    assert.ok([403, 404].includes(answer.status), `${route.id}: ${answer.text}`);
  }
});

test('a member without any grant reads nothing', async () => {
  const { api } = await createMember(tenant, []);
  /** What every member may know, whatever its grants: the tenant, itself, and what kinds of things there are. */
  const open = ['tenant.info', 'tenant.healthcheck', 'my_memberships.list', 'forms.settings'];
  for (const route of accessed('member').filter(({ id }) => !open.includes(id))) {
    const answer = await callRoute(api, route, requestTo(route, names));
    if (answer.status !== 404) {
      assert.equal(answer.status, 200, route.id);
      const results = answer.body.results ?? answer.body.business_units ?? answer.body;
      assert.deepEqual(results, [], route.id);
      assert.equal(answer.body.total ?? 0, 0, route.id);
    }
  }
});

test('a forged, expired or foreign X-Business-Unit, or one whose grant is gone, answers 403', async () => {
  const member = await createMember(tenant, [{ bu_id: names(unit), role: 'admin' }]);
  const own = (await actingIn(member.api, names(unit))).headers['x-business-unit'] ?? '';
  const foreign = (await actingIn(other.api, other.defaultUnitId)).headers['x-business-unit'] ?? '';
  const owners = (await actingIn(tenant.api, names(unit))).headers['x-business-unit'] ?? '';
  const caller: Caller = {
    tenantId: tenant.tenantId,
    membershipId: member.membershipId,
    userId: '',
    isTenantAdmin: false,
    units: [],
    reachesAllUnits: false,
    activeUnitId: null,
  };
  const sign = (unitId: string, now: Date) =>
    signActiveUnit(app.app.platform.tokens, caller, unitId, now).token;
  const [payload = '', signature = ''] = own.split('.');
  const wrong = {
    forged: `${payload}.${signature.slice(0, -4)}AAAA`,
    unsigned: payload,
    'no token': names(unit),
    expired: sign(names(unit), new Date(Date.now() - 12 * 60 * 60 * 1000 - 1)),
    'of another tenant': foreign,
    'of another member': owners,
    'for a unit without a grant': sign(tenant.defaultUnitId, new Date()),
  };
  for (const [kind, token] of Object.entries(wrong)) {
    const client = member.api.with({ 'x-business-unit': token });
    for (const route of keyRoutes) {
      const answer = await callRoute(client, route, requestTo(route, names));
      assertError({ ...route, id: `${route.id} (${kind})` }, answer, 403, 'INVALID_BUSINESS_UNIT');
    }
  }
  await member.api.get('/api/tenant/info', 200, { headers: { 'x-business-unit': own } });
  await tenant.api.put(`/api/client/v1/memberships/${member.membershipId}`, { grants: [] });
  await member.api.get('/api/tenant/info', 403, { headers: { 'x-business-unit': own } });
});

test('an unknown path under /api is 401 without a key and 404 with one', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of ['/api/nothing', '/api/forms/a/b/c', '/api/']) {
      const call = { id: `${method} ${path}` };
      assertError(call, await app.anonymous.send(method, path), 401, 'UNAUTHORIZED');
      assertError(call, await tenant.api.send(method, path), 404, 'NOT_FOUND');
    }
  }
  assertError({ id: '/nothing' }, await app.anonymous.send('GET', '/nothing'), 404, 'NOT_FOUND');
});

test('a known path with another method is answered as an unknown one', async () => {
  for (const route of keyRoutes) {
    const path = route.path.replaceAll(/\{\w+\}/g, 'x');
    const call = { ...route, id: `PATCH ${path}` };
    assertError(call, await app.anonymous.send('PATCH', path), 401, 'UNAUTHORIZED');
    assertError(call, await tenant.api.send('PATCH', path), 404, 'NOT_FOUND');
  }
});
