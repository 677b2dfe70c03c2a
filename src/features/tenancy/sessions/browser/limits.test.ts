/** The cookie over TLS, and limits of sign-ins and records. */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type BrowserUser,
  FROM_OWN_PAGE,
  signInBrowser,
} from '../../../../../test/harness/browser-session.ts';
import { createMember } from '../../../../../test/harness/members.ts';
import { PASSWORD, startOwnApp } from '../../../../../test/harness/test-app.ts';

const app = await startOwnApp({
  ...{ PUBLIC_URL: 'https://tessera.example', CORS_ORIGINS: 'https://app.example' },
  ...{ RATE_LIMITS: 'on', TRUST_PROXY: 'true' },
});
const tenant = await app.createTenant();

test('over TLS the cookie is secure and bound to the host', async () => {
  const { ownerEmail } = tenant;
  const { cookie, answer, page } = await signInBrowser(app.anonymous, ownerEmail);
  assert.match(cookie, /^__Host-tessera=tsb_/);
  assert.match(answer.headers.get('set-cookie') ?? '', /; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  await page.get('/auth/session');
  await page.get('/auth/session', 401, { headers: { cookie: cookie.replace('__Host-', '') } });
});

test('no origin may read the response to a call with the cookie, not even a configured one', async () => {
  const { page } = await signInBrowser(app.anonymous, tenant.ownerEmail);
  const origin = 'https://app.example';
  const records = { 'x-tessera-surface': 'records', origin };
  const body = { current_password: 'wrong password', password: PASSWORD };
  for (const answer of [
    await page.get('/api/openapi.json', 200, { headers: records }),
    await page.put('/auth/password', body, 400, { headers: { origin } }),
  ])
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
});

test('after ten failures of a user every attempt is refused for a while', async () => {
  const { email } = await createMember(tenant, []);
  let clients = 0;
  const attempt = (password: string) => {
    clients += 1;
    const headers = { ...FROM_OWN_PAGE, 'x-forwarded-for': `203.0.113.${clients}` };
    return app.anonymous.send('POST', '/auth/session', { body: { email, password }, headers });
  };
  for (let failure = 1; failure <= 10; failure += 1)
    assert.equal((await attempt(`wrong ${failure}`)).status, 401);
  const { status, body, headers } = await attempt(PASSWORD);
  assert.deepEqual([status, body.code], [429, 'RATE_LIMITED']);
  assert.ok(Number(headers.get('retry-after')) > 880);
});

test('each session has an hourly limit of its own for records', async () => {
  const [first, second] = [
    await signInBrowser(app.anonymous, tenant.ownerEmail),
    await signInBrowser(app.anonymous, tenant.ownerEmail),
  ];
  const remaining = async ({ page }: BrowserUser) => {
    const options = { headers: { 'x-tessera-surface': 'records' } };
    const { headers } = await page.get('/api/openapi.json', 200, options);
    return headers.get('x-ratelimit-remaining');
  };
  const values = [await remaining(first), await remaining(first), await remaining(second)];
  assert.deepEqual(values, ['9999', '9998', '9999']);
});
