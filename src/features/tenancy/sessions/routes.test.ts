import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { createMember, signIn, type TestSession, toSession } from '../../../../test/harness/members.ts';
import { PASSWORD, startOwnApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { AppError } from '../../../errors/app-error.ts';
import { UNAUTHORIZED } from '../../../errors/platform-errors.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { REFRESH_CONFLICT } from './errors.ts';
import { refreshTokenRetention, sessionRetention } from './queries.ts';
import { beginSession, prepareRefresh, prepareSignIn, refreshSession } from './service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** As documented: docs/specification/records.md#signing-in. */
const GRACE_MS = 10_000;
let turnedMs = 0;
let stoppedAt: number | undefined;
const app = await startOwnApp({}, { clock: () => new Date((stoppedAt ?? Date.now()) + turnedMs) });
const { platform } = app.app;
const tenant = await app.createTenant();

/** Returns true if the surface admits this client: the path is unknown, and the reply says so. */
async function isIn(client: Client): Promise<boolean> {
  const { status } = await client.send('GET', '/api/nothing/is/here/at/all');
  assert.ok(status === 401 || status === 404);
  return status === 404;
}

function send(path: string, refreshToken: string, headers: Record<string, string> = {}) {
  return app.anonymous.send('POST', `/auth/${path}`, { body: { refresh_token: refreshToken }, headers });
}

async function refresh({ refreshToken }: TestSession): Promise<TestSession> {
  const { status, text, body } = await send('refresh', refreshToken);
  assert.equal(status, 200, text);
  return toSession(app.url, body);
}

async function assertRefused({ refreshToken }: TestSession): Promise<void> {
  const { status, body } = await send('refresh', refreshToken);
  assert.equal(status, 401);
  assert.deepEqual(Object.keys(body), ['error', 'message', 'code']);
}

const signInOwner = ({ api, ownerEmail }: TestTenant = tenant) => signIn(api, ownerEmail);

async function countRows({ tenantId }: TestTenant): Promise<{ sessions: number; tokens: number }> {
  const { query } = platform.scoped(wholeTenant(tenantId));
  const sessions = await query.selectFrom('sessions').select('id').execute();
  const tokens = await query.selectFrom('refresh_tokens').select('digest').execute();
  return { sessions: sessions.length, tokens: tokens.length };
}

test('a refresh returns the same as a sign-in, and the session continues', async () => {
  const first = await signInOwner();
  const answer = await send('refresh', first.refreshToken);
  assert.deepEqual(Object.keys(answer.body), ['token', 'refresh_token', 'user']);
  assert.deepEqual(answer.body.user, { id: tenant.ownerUserId, email: tenant.ownerEmail, name: 'Owner' });
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const second = toSession(app.url, answer.body);
  assert.notEqual(second.refreshToken, first.refreshToken);
  for (const { bearer } of [first, second]) assert.ok(await isIn(bearer));
  assert.ok(await isIn((await refresh(second)).bearer));
});

/** Stops the app's clock for a test, which advances it by `turnedMs`. */
function stopClock(t: TestContext): void {
  stoppedAt = Date.now();
  t.after(() => {
    stoppedAt = undefined;
    turnedMs = 0;
  });
}

test('a refresh token repeated after the grace period ends only its own session', async (t) => {
  stopClock(t);
  for (const laterMs of [GRACE_MS + 1, GRACE_MS + 1000, 60_000, 59 * 60_000]) {
    const bystander = await signInOwner();
    const first = await signInOwner();
    const second = await refresh(first);
    const third = await refresh(second);
    turnedMs += laterMs;
    await assertRefused(first);
    for (const { bearer } of [first, second, third])
      assert.equal(await isIn(bearer), false, `${laterMs} ms later`);
    await assertRefused(third);
    assert.ok(await isIn(bystander.bearer));
    assert.ok(await isIn((await refresh(bystander)).bearer));
  }
});

test('of many concurrent calls with one refresh token one gets tokens, the others 409, and the session continues', async () => {
  for (const tabs of [2, 3, 5, 8]) {
    const { refreshToken } = await signInOwner();
    const answers = await Promise.all(Array.from({ length: tabs }, () => send('refresh', refreshToken)));
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    assert.deepEqual(statuses, [200, ...Array.from({ length: tabs - 1 }, () => 409)]);
    const winner = answers.find(({ status }) => status === 200);
    const session = toSession(app.url, winner?.body ?? { token: '', refresh_token: '' });
    assert.ok(await isIn(session.bearer));
    assert.ok(await isIn((await refresh(session)).bearer));
  }
});

test('a refresh that arrives within 10 s of the exchange gets 409, and the session continues', async (t) => {
  stopClock(t);
  for (const laterMs of [0, 1, 50, 500, 1000, 2500, 5000, 9000, GRACE_MS - 1, GRACE_MS]) {
    const session = await signInOwner();
    const winner = await refresh(session);
    turnedMs += laterMs;
    for (const tab of ['second', 'third']) {
      const { status, body } = await send('refresh', session.refreshToken);
      assert.equal(status, 409, `${tab} tab, ${laterMs} ms later`);
      assert.match(body.message, /Use the tokens it received/);
    }
    assert.ok(await isIn(winner.bearer), `${laterMs} ms later`);
    // The grace period runs from the exchange: arrivals within it do not prolong it.
    const next = await refresh(winner);
    turnedMs += GRACE_MS + 1;
    await assertRefused(session);
    assert.equal(await isIn(next.bearer), false, `${laterMs} ms later`);
  }
});

test('a caller who received the token before its exchange is informed of the other call, and the session continues', async () => {
  const { refreshToken } = await signInOwner();
  const ctx = { platform, now: platform.clock() };
  const exchanges = [await prepareRefresh(ctx, refreshToken), await prepareRefresh(ctx, refreshToken)];
  const [first, second] = exchanges.map(
    (exchange) => () =>
      platform
        .scoped(wholeTenant(tenant.tenantId))
        .transaction((db) => refreshSession({ ...ctx, db }, exchange)),
  );
  const session = toSession(app.url, (await first?.()) ?? { token: '', refresh_token: '' });
  await assert.rejects(
    async () => second?.(),
    (thrown) => thrown instanceof AppError && thrown.definition === REFRESH_CONFLICT,
  );
  assert.ok(await isIn(session.bearer));
  assert.ok(await isIn((await refresh(session)).bearer));
});

test('a refresh repeated with its Idempotency-Key gets the same tokens', async () => {
  const { refreshToken } = await signInOwner();
  const headers = { 'idempotency-key': randomUUID() };
  const [one, two] = [
    await send('refresh', refreshToken, headers),
    await send('refresh', refreshToken, headers),
  ];
  assert.equal(one.text, two.text);
  assert.equal(two.headers.get('cache-control'), 'no-store');
  assert.ok(await isIn(toSession(app.url, two.body).bearer));
});

test('signing out ends only its own session, immediately', async () => {
  const [ended, other] = [await signInOwner(), await signInOwner()];
  const later = await refresh(ended);
  const { status, body } = await send('logout', later.refreshToken);
  assert.deepEqual([status, body], [200, { success: true }]);
  for (const { bearer } of [ended, later]) assert.equal(await isIn(bearer), false);
  await assertRefused(later);
  assert.ok(await isIn(other.bearer));
});

test('an exchanged token signs out, too, and ended sessions get the same response', async () => {
  const first = await signInOwner();
  const second = await refresh(first);
  for (const token of [first.refreshToken, first.refreshToken, second.refreshToken, 'nonsense'])
    assert.deepEqual((await send('logout', token)).body, { success: true });
  assert.equal(await isIn(second.bearer), false);
});

test('an altered, foreign or missing token is rejected without effect on the session', async () => {
  const session = await signInOwner();
  const other = await app.createTenant();
  const { refreshToken } = session;
  const hex = (id: string) => id.replaceAll('-', '');
  const wrong = [
    refreshToken.replace(hex(tenant.tenantId), hex(other.tenantId)),
    refreshToken.replace(hex(tenant.tenantId), hex(randomUUID())),
    refreshToken.replace(hex(tenant.tenantId), 'f'.repeat(31)),
    refreshToken.replace(hex(tenant.tenantId), '1'.repeat(32)),
    refreshToken.slice(0, -1),
    `${refreshToken}A`,
    refreshToken.toUpperCase(),
    session.token,
    tenant.apiKey,
    '',
  ];
  for (const each of wrong) assert.equal((await send('refresh', each)).status, 401, each);
  assert.equal((await send('refresh', 'x'.repeat(1001))).status, 400);
  assert.ok(await isIn((await refresh(session)).bearer));
});

test('an inactive membership loses access immediately, and regains it when active', async () => {
  const member = await createMember(tenant, []);
  const session = await signIn(tenant.api, member.email);
  const path = `/api/client/v1/memberships/${member.membershipId}`;
  await tenant.api.put(path, { status: 'inactive' });
  assert.equal(await isIn(session.bearer), false);
  await assertRefused(session);
  await tenant.api.put(path, { status: 'active' });
  assert.ok(await isIn(session.bearer));
  await refresh(session);
});

test('a refresh token is valid for 30 days; expired ones are removed a day later', async (t) => {
  t.after(() => {
    turnedMs = 0;
  });
  const own = await app.createTenant();
  const abandoned = await signInOwner(own);
  const first = await signInOwner(own);
  turnedMs = 30 * DAY_MS - 60_000;
  const second = await refresh(first);
  turnedMs = 30 * DAY_MS + 60_000;
  await assertRefused(abandoned);
  assert.ok(await isIn(second.bearer));
  for (const { removeOld } of [refreshTokenRetention, sessionRetention]) await removeOld(platform);
  assert.deepEqual(await countRows(own), { sessions: 2, tokens: 3 });
  turnedMs = 31 * DAY_MS + 60_000;
  for (const { removeOld } of [refreshTokenRetention, sessionRetention]) await removeOld(platform);
  assert.deepEqual(await countRows(own), { sessions: 1, tokens: 1 });
  await refresh(second);
});

test('the reset of a tenant ends its sessions', async () => {
  const own = await app.createTenant();
  const session = await signInOwner(own);
  await app.admin.post(`/admin/tenants/${own.code}/reset`, { confirm: own.code });
  assert.equal(await isIn(session.bearer), false);
  await assertRefused(session);
  assert.ok(await isIn((await signInOwner(own)).bearer));
});

test('signing in or refreshing while the tenant is reset is rejected as usual', async () => {
  const own = await app.createTenant();
  const { email } = await createMember(own, []);
  const session = await signIn(own.api, email);
  const client = { address: '192.0.2.1', userAgent: null, origin: null, host: 'localhost' };
  const ctx = { platform, now: platform.clock(), client };
  const begun = await prepareSignIn(ctx, { email, password: PASSWORD });
  const exchange = await prepareRefresh(ctx, session.refreshToken);
  await app.admin.post(`/admin/tenants/${own.code}/reset`, { confirm: own.code });
  const scoped = platform.scoped(wholeTenant(own.tenantId));
  const isRefusal = (thrown: unknown) => thrown instanceof AppError && thrown.definition === UNAUTHORIZED;
  await assert.rejects(
    scoped.transaction((db) => beginSession({ ...ctx, db }, begun)),
    isRefusal,
  );
  await assert.rejects(
    scoped.transaction((db) => refreshSession({ ...ctx, db }, exchange)),
    isRefusal,
  );
});
