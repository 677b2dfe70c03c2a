/** Access to every route of the table with every kind of credential. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '../../src/http/route.ts';
import { signActiveUnit } from '../../src/tenancy/active-unit.ts';
import type { Caller } from '../../src/tenancy/caller.ts';
import type { Client } from '../harness/client.ts';
import { actingIn, createMember, signIn } from '../harness/members.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import {
  assertError,
  type Credentials,
  callRoute,
  clientOf,
  credentialsOf,
  inTurn,
  isForPeople,
  targetOf,
} from './route-calls.ts';
import {
  allRoutes,
  calledRoutes,
  callsEveryRoute,
  createWorld,
  recordsOfCalled,
  requestTo,
} from './world.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const other = await app.createTenant();
const names = await createWorld(tenant, receiver.url, recordsOfCalled('unit'));

const isForMembers = ({ access }: Route) => access !== 'public' && access !== 'operator';
const memberRoutes = calledRoutes.filter(isForMembers);
const keyRoutes = memberRoutes.filter((route) => !isForPeople(route));
const peopleRoutes = memberRoutes.filter(isForPeople);
const operatorRoutes = calledRoutes.filter((route) => route.access === 'operator');
/** Returns the header of a client that acts in a unit. */
const unitOf = ({ headers }: Client) => ({ 'x-business-unit': headers['x-business-unit'] ?? '' });
const accessed = (...kinds: Route['access'][]) =>
  calledRoutes.filter((route) => kinds.includes(route.access));
/** Paths that serve both calls with a key and calls with an access token, each on its own surface. */
const pathsOf = (isIn: (route: Route) => boolean) =>
  new Set(allRoutes.filter((route) => isForMembers(route) && isIn(route)).map(({ path }) => path));
const sharedPaths = pathsOf(isForPeople).intersection(pathsOf((route) => !isForPeople(route)));

/** Fails unless the client gets this error from each of the routes. */
async function assertRefused(
  routes: readonly Route[],
  caller: Client | Credentials,
  status: number,
  code: string,
) {
  for (const route of routes) {
    const client = 'bearer' in caller ? clientOf(route, caller) : caller;
    assertError(route, await callRoute(client, route, requestTo(route, names)), status, code);
  }
}

/**
 * Like `assertRefused`, for requests that belong to another surface than the routes: errors have that surface's shape.
 */
async function assertForeign(
  routes: readonly Route[],
  client: Client,
  { status, code, envelope }: { status: number; code: string; envelope: 'plain' | 'entity' },
) {
  for (const route of routes) {
    const request = requestTo(route, names);
    const sent = request.body === undefined ? {} : { body: request.body };
    const answer = await client.send(route.method, targetOf(route, request), sent);
    assertError({ id: route.id, envelope }, answer, status, code);
  }
}

test("without a credential every protected route answers 401 in the platform's shape", async () => {
  assert.ok(!callsEveryRoute || keyRoutes.length > 50);
  await assertRefused(keyRoutes, app.anonymous, 401, 'UNAUTHORIZED');
  const refused = { status: 401, code: 'UNAUTHORIZED', envelope: 'plain' } as const;
  await assertForeign(peopleRoutes, app.anonymous, refused);
});

test('an unknown, altered, truncated or malformed key answers 401', async () => {
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
  for (const [route, key] of inTurn(keyRoutes, wrong))
    await assertRefused([route], app.anonymous.with({ 'x-api-key': key }), 401, 'UNAUTHORIZED');
});

test('an altered, truncated, unsigned or malformed access token answers 401', async () => {
  const { token } = await signIn(tenant.api, tenant.ownerEmail);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
  const wrong = [
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${unsigned}.${payload}.`,
    `${header}.${payload}`,
    tenant.apiKey,
    'x'.repeat(4000),
    'Bearer',
    '',
  ];
  for (const [route, each] of inTurn(peopleRoutes, wrong))
    await assertRefused(
      [route],
      app.anonymous.with({ authorization: `Bearer ${each}` }),
      401,
      'UNAUTHORIZED',
    );
});

test('the access token of an ended session answers 401 everywhere immediately', async () => {
  const { bearer, refreshToken } = await signIn(tenant.api, tenant.ownerEmail);
  await app.anonymous.post('/auth/logout', { refresh_token: refreshToken });
  await assertRefused(peopleRoutes, bearer, 401, 'UNAUTHORIZED');
});

test('a revoked key answers 401 everywhere immediately', async () => {
  const member = await createMember(tenant, [{ bu_id: names('unit'), role: 'admin' }]);
  await member.api.get('/api/tenant/info');
  await tenant.api.delete(`/api/client/v1/api-keys/${member.keyId}`);
  await assertRefused(keyRoutes, member.api, 401, 'UNAUTHORIZED');
});

test('the key and the access token of an inactive membership answer 401 everywhere immediately', async () => {
  const member = await createMember(tenant, [{ bu_id: names('unit'), role: 'admin' }]);
  const caller = await credentialsOf(member);
  await tenant.api.put(`/api/client/v1/memberships/${member.membershipId}`, { status: 'inactive' });
  await assertRefused(memberRoutes, caller, 401, 'UNAUTHORIZED');
});

test('operator routes answer 401 without the token, with another one and with a key', async () => {
  await assertRefused(operatorRoutes, app.anonymous, 401, 'UNAUTHORIZED');
  await assertRefused(operatorRoutes, tenant.api, 401, 'UNAUTHORIZED');
  for (const authorization of ['Bearer wrong', 'Bearer', 'Bearer test-admin-tokem', 'test-admin-token'])
    await assertRefused(operatorRoutes, app.anonymous.with({ authorization }), 401, 'UNAUTHORIZED');
});

test('the operator token does not open routes of a tenant', async () => {
  const refused = { status: 401, code: 'UNAUTHORIZED', envelope: 'entity' } as const;
  await assertForeign(memberRoutes, app.admin, refused);
});

test('a bearer token is ignored next to a key on every platform path', async () => {
  const both = app.anonymous.with({ authorization: 'Bearer something', 'x-api-key': 'wrong' });
  for (const route of keyRoutes) {
    const { message } = (await callRoute(both, route, requestTo(route, names))).body;
    assert.match(message, /X-API-Key/, route.id);
  }
});

test('a platform path called with only a token, valid or not, says that it needs a key', async () => {
  const { bearer } = await signIn(tenant.api, tenant.ownerEmail);
  const keyAsToken = app.anonymous.with({ authorization: `Bearer ${tenant.apiKey}` });
  for (const route of keyRoutes.filter(({ path }) => !sharedPaths.has(path))) {
    const request = requestTo(route, names);
    const sent = request.body === undefined ? {} : { body: request.body };
    for (const client of [bearer, keyAsToken]) {
      const answer = await client.send(route.method, targetOf(route, request), sent);
      assertError({ id: route.id, envelope: 'entity' }, answer, 401, 'UNAUTHORIZED');
      assert.match(answer.body.message, /takes? an API key/, route.id);
    }
  }
});

test('a path for signed-in users called with only a key says that it needs an access token', async () => {
  for (const route of peopleRoutes.filter(({ path }) => !sharedPaths.has(path))) {
    const request = requestTo(route, names);
    const sent = request.body === undefined ? {} : { body: request.body };
    const answer = await tenant.api.send(route.method, targetOf(route, request), sent);
    assertError({ id: route.id }, answer, 401, 'UNAUTHORIZED');
    assert.match(answer.body.message, /takes the access token/, route.id);
  }
});

test('a viewer is refused on every route that needs more than reading', async () => {
  const viewer = await createMember(tenant, [{ bu_id: names('unit'), role: 'viewer' }]);
  const { api, bearer } = await credentialsOf(viewer);
  const active = await actingIn(viewer.api, names('unit'));
  for (const caller of [
    { api, bearer },
    { api: active, bearer: bearer.with(unitOf(active)) },
  ])
    await assertRefused(accessed('editor', 'admin', 'owner'), caller, 403, 'FORBIDDEN');
});

test('an editor is refused on every route that needs an admin or an owner', async () => {
  const editor = await createMember(tenant, [{ bu_id: names('unit'), role: 'editor' }]);
  await assertRefused(accessed('admin', 'owner'), await credentialsOf(editor), 403, 'FORBIDDEN');
});

test('an admin of every unit is refused on every route that needs an owner', async () => {
  const admin = await createMember(tenant, [
    { bu_id: names('unit'), role: 'admin' },
    { bu_id: tenant.defaultUnitId, role: 'admin' },
  ]);
  await assertRefused(accessed('owner'), await credentialsOf(admin), 403, 'FORBIDDEN');
});

test('a member without any grant cannot create anything', async () => {
  const ungranted = await createMember(tenant, []);
  const creates = accessed('editor', 'admin', 'owner').filter(({ params }) => params === undefined);
  await assertRefused(creates, await credentialsOf(ungranted), 403, 'FORBIDDEN');
});

test('a member without any grant can neither change a record nor find out that it exists', async () => {
  const ungranted = await credentialsOf(await createMember(tenant, []));
  for (const route of accessed('editor', 'admin', 'owner').filter(({ params }) => params !== undefined)) {
    const answer = await callRoute(clientOf(route, ungranted), route, requestTo(route, names));
    assert.ok([403, 404].includes(answer.status), `${route.id}: ${answer.text}`);
  }
});

test('a member without any grant cannot read anything', async () => {
  const ungranted = await credentialsOf(await createMember(tenant, []));
  /** Routes open to every member without any grant: about the tenant, the member, and the available kinds of things. */
  const open = [
    'tenant.info',
    'tenant.healthcheck',
    'tenant_settings.get',
    'members.names',
    'my_memberships.list',
    'auth.change_password',
    'forms.settings',
    'records.openapi',
    'automations.list_action_types',
    'views.create',
    'drafts.put',
    // Its parts are empty.
    'overview.get',
  ];
  for (const route of accessed('member').filter(({ id }) => !open.includes(id))) {
    const answer = await callRoute(clientOf(route, ungranted), route, requestTo(route, names));
    if (answer.status !== 404) {
      assert.equal(answer.status, 200, route.id);
      const { results, business_units, data, total, pagination } = answer.body;
      assert.deepEqual(results ?? business_units ?? data ?? answer.body, [], route.id);
      assert.equal(total ?? pagination?.total ?? 0, 0, route.id);
    }
  }
});

test('a forged, expired or foreign X-Business-Unit, or one whose grant was removed, answers 403', async () => {
  const member = await createMember(tenant, [{ bu_id: names('unit'), role: 'admin' }]);
  const { bearer } = await credentialsOf(member);
  const own = (await actingIn(member.api, names('unit'))).headers['x-business-unit'] ?? '';
  const foreign = (await actingIn(other.api, other.defaultUnitId)).headers['x-business-unit'] ?? '';
  const owners = (await actingIn(tenant.api, names('unit'))).headers['x-business-unit'] ?? '';
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
    'no token': names('unit'),
    expired: sign(names('unit'), new Date(Date.now() - 12 * 60 * 60 * 1000 - 1)),
    'of another tenant': foreign,
    'of another member': owners,
    'for a unit without a grant': sign(tenant.defaultUnitId, new Date()),
  };
  const tokens = Object.entries(wrong);
  for (const [route, [kind, token]] of [...inTurn(keyRoutes, tokens), ...inTurn(peopleRoutes, tokens)]) {
    const header = { 'x-business-unit': token };
    const caller = { api: member.api.with(header), bearer: bearer.with(header) };
    const answer = await callRoute(clientOf(route, caller), route, requestTo(route, names));
    assertError({ ...route, id: `${route.id} (${kind})` }, answer, 403, 'INVALID_BUSINESS_UNIT');
  }
  await member.api.get('/api/tenant/info', 200, { headers: { 'x-business-unit': own } });
  await tenant.api.put(`/api/client/v1/memberships/${member.membershipId}`, { grants: [] });
  await member.api.get('/api/tenant/info', 403, { headers: { 'x-business-unit': own } });
});

test('an unknown path under /api is 401 without a credential and 404 with one', async () => {
  const { bearer } = await signIn(tenant.api, tenant.ownerEmail);
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of ['/api/nothing', '/api/forms/a/b/c', '/api/']) {
      const call = { id: `${method} ${path}` };
      assertError(call, await app.anonymous.send(method, path), 401, 'UNAUTHORIZED');
      assertError(call, await tenant.api.send(method, path), 404, 'NOT_FOUND');
    }
    const beyond = '/api/a/b/c/d/e';
    const call = { id: `${method} ${beyond}`, envelope: 'entity' } as const;
    assertError(call, await bearer.send(method, beyond), 404, 'NOT_FOUND');
  }
  assertError({ id: '/nothing' }, await app.anonymous.send('GET', '/nothing'), 404, 'NOT_FOUND');
});

test('a path that ends in a word is not treated as the address of a record with that name', async () => {
  for (const [method, path, allow] of [
    ['GET', '/api/subscribers/list', 'POST'],
    ['DELETE', '/api/subscribers/list', 'POST'],
    ['PATCH', '/api/subscribers/search', 'POST'],
    ['GET', '/api/forms/list', 'POST'],
    ['DELETE', '/api/forms/settings', 'GET, HEAD'],
    ['GET', '/api/form_submissions/erase', 'POST'],
    ['HEAD', '/api/lists/list', 'POST'],
    ['GET', '/api/audiences/list?page=1', 'POST'],
    ['DELETE', '/api/email_settings/suppressions/list', 'GET, HEAD'],
    ['GET', '/api/templates/clone', 'POST'],
    ['GET', '/api/assets/list', 'POST'],
    ['GET', '/api/journeys/list/', 'POST'],
  ] as const) {
    const answer = await tenant.api.send(method, path, method === 'PATCH' ? { body: {} } : {});
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${path}`);
  }
  const absent = await tenant.api.send('GET', '/api/subscribers/nobody');
  assert.deepEqual([absent.status, absent.headers.get('allow')], [404, null]);
});

test('a known path answers another method with 405 and the allowed methods', async () => {
  const byPath = Map.groupBy(keyRoutes, ({ path }) => path.replaceAll(/\{\w+\}/g, 'x'));
  for (const [path, [route]] of byPath) {
    const call = { ...route, id: `PROPFIND ${path}` };
    assertError(call, await app.anonymous.send('PROPFIND', path), 401, 'UNAUTHORIZED');
    const answer = await tenant.api.send('PROPFIND', path);
    assertError(call, answer, 405, 'METHOD_NOT_ALLOWED');
    assert.ok(
      answer.headers
        .get('allow')
        ?.split(', ')
        .includes(route?.method ?? ''),
      path,
    );
  }
});
