import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import {
  type BrowserUser,
  cookieIn,
  FROM_OWN_PAGE,
  signInBrowser,
} from '../../../../../test/harness/browser-session.ts';
import { createMember, createUnit, type GrantBody } from '../../../../../test/harness/members.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { PASSWORD, startOwnApp, type TestTenant } from '../../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const HOUR_MS = 60 * 60 * 1000;
let turnedMs = 0;
const app = await startOwnApp({}, { clock: () => new Date(Date.now() + turnedMs) });
const tenant = await app.createTenant();
const other = await app.createTenant();

/** Returns a page of a new browser of a new member of the tenant. */
async function newMember(
  more: object = {},
  grants: readonly GrantBody[] = [],
): Promise<BrowserUser & { readonly email: string }> {
  const { email } = await createMember(tenant, grants);
  return { ...(await signInBrowser(app.anonymous, email, more)), email };
}

/** Adds a user to another tenant. */
function addTo({ api }: TestTenant, email: string) {
  return api.post('/api/client/v1/memberships', { email, name: 'Ignored' });
}

const signIn = (body: object, headers: Readonly<Record<string, string>> = FROM_OWN_PAGE) =>
  app.anonymous.send('POST', '/auth/session', { body, headers });

test('a sign-in sets a cookie, and describes the user and the tenants', async () => {
  const { cookie, answer } = await signInBrowser(app.anonymous, tenant.ownerEmail);
  assert.match(cookie, /^tessera=tsb_[0-9a-f]{32}_[\w-]{43}$/);
  assert.match(answer.headers.get('set-cookie') ?? '', /; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { user, memberships, csrf_token, confirmed_until, expires_at } = answer.body;
  assert.deepEqual(user, {
    ...{ id: tenant.ownerUserId, email: tenant.ownerEmail, name: 'Owner' },
    ...{ locale: null, time_zone: null, preferences: {} },
  });
  const [membership] = memberships;
  assert.equal(memberships.length, 1);
  assert.deepEqual(
    { ...membership, membership_id: '' },
    {
      ...{ tenant_id: tenant.tenantId, tenant_code: tenant.code, tenant_name: `Tenant ${tenant.code}` },
      ...{ brand: { logo_url: '', primary_color: '' }, membership_id: '', is_tenant_admin: true },
      default_business_unit_id: tenant.defaultUnitId,
      units: [
        {
          ...{ bu_id: tenant.defaultUnitId, name: 'Default', slug: 'default' },
          ...{ is_default: true, role: 'admin' },
        },
      ],
      has_all_units: true,
    },
  );
  assert.match(csrf_token, /^[\w-]{43}$/);
  assert.ok(confirmed_until < expires_at);
});

test('an unknown address, a wrong password and an inactive membership get the same response', async () => {
  const member = await createMember(tenant, []);
  await tenant.api.put(`/api/client/v1/memberships/${member.membershipId}`, { status: 'inactive' });
  for (const body of [
    { email: `nobody-${randomUUID()}@example.com`, password: PASSWORD },
    { email: tenant.ownerEmail, password: 'wrong password' },
    { email: member.email, password: PASSWORD },
  ]) {
    const { status, body: answer, headers } = await signIn(body);
    assert.deepEqual(
      [status, answer.code, answer.message],
      [401, 'UNAUTHORIZED', 'Incorrect email address or password.'],
    );
    assert.equal(headers.get('set-cookie'), null);
  }
});

test('a page of another origin cannot sign in', async () => {
  const body = { email: tenant.ownerEmail, password: PASSWORD };
  const origin = new URL(app.url).origin;
  const foreign: Readonly<Record<string, string>>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign) {
    const { status, body: answer } = await signIn(body, headers);
    assert.deepEqual([status, answer.code], [403, 'CSRF_REJECTED']);
  }
  assert.equal((await signIn(body, { origin })).status, 200);
});

test('a session works like the API key of its user', async () => {
  const { page } = await newMember();
  assert.equal((await page.get('/api/tenant/info')).body.tenant_id, tenant.tenantId);
  const { results } = (await page.get('/api/client/v1/my-memberships')).body;
  assert.equal(results.length, 1);
  await page.get('/api/client/v1/memberships', 403);
  await page.get('/api/nothing', 404);
});

test('a cookie next to another credential is ignored', async () => {
  const { cookie } = await newMember();
  const wrong = { cookie, 'x-api-key': 'wrong' };
  await app.anonymous.get('/api/tenant/info', 401, { headers: wrong });
  await app.anonymous.get('/api/tenant/info', 401, { headers: { cookie, authorization: 'Bearer wrong' } });
  await app.anonymous.get('/auth/session', 401, { headers: { cookie, authorization: 'Bearer wrong' } });
  const { body } = await other.api.get('/api/tenant/info', 200, { headers: { cookie } });
  assert.equal(body.tenant_id, other.tenantId);
});

test('an altered or unknown token is refused', async () => {
  const { cookie } = await newMember();
  const [, id = ''] = cookie.split('_');
  for (const wrong of [
    `${cookie.slice(0, -2)}${cookie.endsWith('A') ? 'B' : 'A'}A`,
    cookie.replace(id, other.tenantId.replaceAll('-', '')),
    'tessera=tsb_',
    'tessera=',
    cookie.replace('tessera=', 'other='),
  ]) {
    const headers = { ...FROM_OWN_PAGE, cookie: wrong };
    assert.equal((await app.anonymous.get('/auth/session', 401, { headers })).body.code, 'UNAUTHORIZED');
    await app.anonymous.get('/api/tenant/info', 401, { headers });
  }
});

test('a sign-out ends the session at once and removes the cookie', async () => {
  const { page } = await newMember();
  const answer = await page.delete('/auth/session');
  assert.deepEqual(answer.body, { success: true });
  assert.match(answer.headers.get('set-cookie') ?? '', /^tessera=; Max-Age=0; Path=\//);
  await page.get('/auth/session', 401);
  await page.get('/api/tenant/info', 401);
});

test('a sign-in ends the session of the cookie that the browser had', async () => {
  const { page, email } = await newMember();
  const answer = await page.post('/auth/session', { email, password: PASSWORD });
  await page.get('/auth/session', 401);
  await page.get('/auth/session', 200, { headers: { cookie: cookieIn(answer) } });
});

test('a user lists the sessions in all browsers and ends one of them', async () => {
  const { page, email } = await newMember();
  const second = await signInBrowser(app.anonymous.with({ 'user-agent': 'ignored' }), email);
  const { results } = (await page.get('/auth/sessions')).body;
  assert.deepEqual(results.map((each: { is_current: boolean }) => each.is_current).toSorted(), [false, true]);
  const elsewhere = results.find((each: { is_current: boolean }) => !each.is_current);
  assert.deepEqual(Object.keys(elsewhere), [
    ...['id', 'is_current', 'created_at', 'last_seen_at', 'ip_address', 'user_agent'],
  ]);
  assert.equal(elsewhere.ip_address, '127.0.0.1');
  await (await newMember()).page.delete(`/auth/sessions/${elsewhere.id}`, 404);
  await page.delete('/auth/sessions/nothing', 404);
  await page.delete(`/auth/sessions/${elsewhere.id}`);
  await second.page.get('/api/tenant/info', 401);
  await page.delete(`/auth/sessions/${elsewhere.id}`, 404);
  await page.get('/api/tenant/info');
});

test('a session ends after 12 hours without a request, and after 7 days', async () => {
  const idle = await newMember();
  const used = await newMember();
  for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
    turnedMs += 11 * HOUR_MS;
    // A use is recorded outside its request, so that the session of the last one may still have the old end.
    await eventually('the session to be extended', async () => {
      const { status } = await used.page.send('GET', '/auth/session');
      return status === 200;
    });
  }
  await idle.page.get('/api/tenant/info', 401);
  turnedMs += 11 * HOUR_MS;
  await used.page.get('/auth/session', 401);
});

test('owners set the time without a request after which sessions end; a shorter one applies at once', async () => {
  const third = await app.createTenant();
  const { page } = await signInBrowser(app.anonymous, third.ownerEmail);
  const remembered = await signInBrowser(app.anonymous, third.ownerEmail, { remember: true });
  turnedMs += 2 * HOUR_MS;
  await third.api.patch('/api/tenant/settings', { session_hours: 1 });
  await page.get('/auth/session', 401);
  await remembered.page.get('/auth/session');
  await third.api.patch('/api/tenant/settings', { session_hours: 72 });
  const later = await signInBrowser(app.anonymous, third.ownerEmail);
  turnedMs += 71 * HOUR_MS;
  await later.page.get('/auth/session');
});

test('a remembered session lasts 30 days without a request', async () => {
  const { page, answer } = await newMember({ remember: true });
  assert.match(answer.headers.get('set-cookie') ?? '', /; Max-Age=2592000;/);
  turnedMs += 29 * 24 * HOUR_MS;
  await page.get('/api/tenant/info');
  turnedMs += 25 * HOUR_MS;
  await page.get('/api/tenant/info', 401);
});

test('the last use of a session is recorded at most once a minute', async () => {
  const { page } = await newMember();
  const lastSeen = async () => (await page.get('/auth/sessions')).body.results[0].last_seen_at;
  const first = await lastSeen();
  assert.equal(await lastSeen(), first);
  turnedMs += 61_000;
  await eventually('the use to be recorded', async () => (await lastSeen()) !== first);
});

test('a user of two tenants names one of them with each call', async () => {
  const { page, email } = await newMember();
  await addTo(other, email);
  assert.equal((await page.get('/api/tenant/info', 400)).body.code, 'TENANT_REQUIRED');
  const infoOf = async (code: string) =>
    (await page.get('/api/tenant/info', 200, { headers: { 'x-tenant': code } })).body.tenant_id;
  assert.deepEqual([await infoOf(tenant.code), await infoOf(other.code)], [tenant.tenantId, other.tenantId]);
  const codes = (await page.get('/auth/session')).body.memberships.map(
    (each: { tenant_code: string }) => each.tenant_code,
  );
  assert.deepEqual(codes.toSorted(), [tenant.code, other.code].toSorted());
});

test('a tenant without an active membership of the user answers like an unknown one', async () => {
  const { page, email } = await newMember();
  const { membership_id } = (await addTo(other, email)).body;
  await other.api.put(`/api/client/v1/memberships/${membership_id}`, { status: 'inactive' });
  const third = await app.createTenant();
  for (const code of [other.code, third.code, 'unknown', '']) {
    const { body } = await page.get('/api/tenant/info', 404, { headers: { 'x-tenant': code } });
    assert.equal(body.code, 'NOT_FOUND');
  }
  await page.get('/api/tenant/info');
});

test('a session outlives a deactivated membership, but not a deleted one in the tenant of the sign-in', async () => {
  const member = await createMember(tenant, []);
  const { page } = await signInBrowser(app.anonymous, member.email);
  await addTo(other, member.email);
  const path = `/api/client/v1/memberships/${member.membershipId}`;
  await tenant.api.put(path, { status: 'inactive' });
  assert.equal((await page.get('/api/tenant/info')).body.tenant_id, other.tenantId);
  await tenant.api.delete(path);
  await page.get('/api/tenant/info', 401);
});

test('a reset of the tenant ends the sessions of its users', async () => {
  const third = await app.createTenant();
  const { page } = await signInBrowser(app.anonymous, third.ownerEmail);
  await app.admin.post(`/admin/tenants/${third.code}/reset`, { confirm: third.code });
  await page.get('/auth/session', 401);
});

test('a suspended tenant answers 403, and the other tenants of the user stay usable', async () => {
  const { page, email } = await newMember();
  const third = await app.createTenant();
  await addTo(third, email);
  await app.admin.put(`/admin/tenants/${third.code}`, { status: 'suspended' });
  const { body } = await page.get('/api/tenant/info', 403, { headers: { 'x-tenant': third.code } });
  assert.equal(body.code, 'TENANT_SUSPENDED');
  assert.equal((await page.get('/api/tenant/info')).body.tenant_id, tenant.tenantId);
});

test('an id in X-Business-Unit selects one of the units of the user', async () => {
  const north = await createUnit(tenant, 'North');
  const south = await createUnit(tenant, 'South');
  const { page } = await newMember({}, [
    { bu_id: north, role: 'editor' },
    { bu_id: south, role: 'editor' },
  ]);
  const list = { name: 'Readers' };
  assert.equal((await page.post('/api/lists', list, 400)).body.code, 'BUSINESS_UNIT_REQUIRED');
  const inSouth = page.with({ 'x-business-unit': south });
  const { id } = (await inSouth.post('/api/lists', list)).body;
  assert.equal((await page.get(`/api/lists/${id}`)).body.business_unit, south);
  for (const unit of [tenant.defaultUnitId, randomUUID(), 'nothing']) {
    const headers = { 'x-business-unit': unit };
    assert.equal((await page.get('/api/tenant/info', 403, { headers })).body.code, 'INVALID_BUSINESS_UNIT');
  }
  const { token } = (await page.post(`/api/client/v1/business-units/${north}/activate`, undefined)).body;
  await page.get('/api/tenant/info', 200, { headers: { 'x-business-unit': token } });
  const keyHeaders = { 'x-business-unit': tenant.defaultUnitId };
  await tenant.api.get('/api/tenant/info', 403, { headers: keyHeaders });
});

test('records are read and written with X-Tessera-Surface: records', async () => {
  const { page } = await signInBrowser(app.anonymous, tenant.ownerEmail);
  const name = `order${randomUUID().slice(0, 8)}`;
  await page.post('/api/entities', { name, fields: [{ name: 'title', type: 'string' }] });
  const records = page.with({ 'x-tessera-surface': 'records' });
  const created = await records.post(`/api/${name}`, { title: 'First' });
  assert.equal(created.body._created_by, tenant.ownerUserId);
  assert.equal(created.headers.get('x-ratelimit-limit'), '10000');
  assert.equal((await records.get(`/api/${name}`)).body.data.length, 1);
  assert.equal((await records.get(`/api/${name}/nothing`, 404)).body.error, 'not_found');
  assert.equal((await records.post(`/api/${name}`, { title: 7 }, 400)).body.error, 'bad_request');
  assert.match((await page.get(`/api/${name}`, 404)).body.message, /X-Tessera-Surface: records/);
  const { body } = await records.post('/api/forms/list', {}, 404);
  assert.match(body.message, /without X-Tessera-Surface/);
});

test('a new API key needs a password that was entered in the last ten minutes', async () => {
  const { page } = await signInBrowser(app.anonymous, tenant.ownerEmail);
  const create = (status: number) => page.post('/api/client/v1/api-keys', { name: 'New' }, status);
  await create(200);
  turnedMs += 10 * 60 * 1000;
  assert.equal((await create(403)).body.code, 'CONFIRMATION_REQUIRED');
  await tenant.api.post('/api/client/v1/api-keys', { name: 'By key' });
  const wrong = (await page.post('/auth/session/confirm', { password: 'wrong password' }, 400)).body;
  assert.deepEqual(wrong.issues, [{ field: 'password', message: 'is not the current password' }]);
  await create(403);
  const { confirmed_until } = (await page.post('/auth/session/confirm', { password: PASSWORD })).body;
  assert.equal((await page.get('/auth/session')).body.confirmed_until, confirmed_until);
  await create(200);
});

test('members, domains and erasures need a recent password, too', async () => {
  const { page } = await signInBrowser(app.anonymous, tenant.ownerEmail);
  turnedMs += 10 * 60 * 1000;
  const path = '/api/client/v1/memberships';
  const [member] = (await page.get(path)).body.results;
  for (const [method, url, body] of [
    ['POST', path, { email: `m${randomUUID()}@example.com`, name: 'Member', invite: true }],
    ['PUT', `${path}/${member.membership_id}`, { grants: [] }],
    ['PATCH', `${path}/${member.membership_id}`, { grants: [] }],
    ['DELETE', `${path}/${member.membership_id}`, undefined],
    ['DELETE', '/api/email_settings/sending_domains/example.com', undefined],
    ['POST', '/api/form_submissions/erase', { email_address: 'somebody@example.com' }],
    ['POST', '/api/subscribers/bulk', { action: 'erase', filters: {}, expected_count: 0 }],
  ] as const) {
    const { status, body: reply } = await page.send(method, url, { body });
    // Email settings wrap their errors.
    assert.deepEqual(
      [status, reply.code ?? reply.error?.code],
      [403, 'CONFIRMATION_REQUIRED'],
      `${method} ${url}`,
    );
  }
});
