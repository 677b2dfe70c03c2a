import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Answer } from '../../../../test/harness/client.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { PASSWORD, startOwnApp } from '../../../../test/harness/test-app.ts';

/** Returns a client whose calls each come from another address. */
const app = await startOwnApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });
const tenant = await app.createTenant();
const unknown = () => `nobody-${randomUUID()}@example.com`;

let clients = 0;
/** Returns an address that no other test uses. */
function newAddress(): string {
  clients += 1;
  return `203.0.113.${clients}`;
}

function login(body: object, address = newAddress()): Promise<Answer> {
  return app.anonymous.send('POST', '/auth/login', { body, headers: { 'x-forwarded-for': address } });
}

const asMember = async (more: object = {}) => ({
  ...(await createMember(tenant, [], more)),
  password: PASSWORD,
});

test('a sign-in returns both tokens and the user', async () => {
  const { email, userId } = await asMember();
  const answer = await login({ email: email.toUpperCase(), password: PASSWORD });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['token', 'refresh_token', 'user']);
  assert.deepEqual(answer.body.user, { id: userId, email, name: 'Member' });
  assert.match(answer.body.refresh_token, /^tsr_[0-9a-f]{32}_[\w-]{43}$/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const [header = '', payload = ''] = answer.body.token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  assert.deepEqual(read(header), { alg: 'HS256', typ: 'JWT' });
  const { sub, tenant: tenantId, iat, exp } = read(payload);
  assert.deepEqual([sub, tenantId, exp - iat], [userId, tenant.tenantId, 3600]);
});

test('a password may be typed on another keyboard', async () => {
  const { email } = await asMember({ password: 'caf\u00e9 cr\u00e8me' });
  assert.equal((await login({ email, password: 'cafe\u0301 cre\u0300me' })).status, 200);
});

test('a wrong password, an unknown address, a foreign tenant and an inactive membership get the same response', async () => {
  const { email } = await asMember();
  const inactive = await asMember();
  const path = `/api/client/v1/memberships/${inactive.membershipId}`;
  await tenant.api.put(path, { status: 'inactive' });
  const answers = [
    await login({ email, password: 'wrong password' }),
    await login({ email, password: `${PASSWORD} ` }),
    await login({ email: unknown(), password: PASSWORD }),
    await login({ email: "' or 1=1 --", password: PASSWORD }),
    await login({ email, password: PASSWORD, tenant_code: 'nowhere' }),
    await login({ email: inactive.email, password: PASSWORD }),
    await login({ email: inactive.email, password: PASSWORD, tenant_code: tenant.code }),
  ];
  for (const { status, body } of answers) {
    assert.equal(status, 401);
    assert.deepEqual(body, {
      code: 'UNAUTHORIZED',
      error: 'unauthorized',
      message: 'Incorrect email address or password.',
    });
  }
});

test('a body with missing members names each field', async () => {
  const { status, body } = await login({ tenant_code: 7 });
  assert.equal(status, 400);
  assert.deepEqual(body.errors, [
    { field: 'email', message: 'is required' },
    { field: 'password', message: 'is required' },
    { field: 'tenant_code', message: 'must be string' },
  ]);
});

test('a user of several tenants must name one, after the correct password', async () => {
  const { email } = await asMember();
  const other = await app.createTenant();
  const joined = { email, name: 'Ignored', password: 'ignored, too' };
  const { membership_id } = (await other.api.post('/api/client/v1/memberships', joined)).body;
  const response = await login({ email, password: PASSWORD });
  assert.equal(response.status, 400);
  assert.deepEqual(response.body.errors, [
    { field: 'tenant_code', message: 'is required: you belong to several tenants' },
  ]);
  assert.equal((await login({ email, password: 'ignored, too' })).status, 401);
  for (const { code, tenantId } of [tenant, other]) {
    const { body } = await login({ email, password: PASSWORD, tenant_code: code });
    const [, payload = ''] = body.token.split('.');
    assert.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()).tenant, tenantId);
  }
  await other.api.put(`/api/client/v1/memberships/${membership_id}`, { status: 'inactive' });
  assert.equal((await login({ email, password: PASSWORD })).status, 200);
  assert.equal((await login({ email, password: PASSWORD, tenant_code: other.code })).status, 401);
});

function assertThrottled({ status, body, headers }: Answer): void {
  assert.equal(status, 429);
  assert.equal(body.error, 'rate_limited');
  assert.ok(body.retry_after > 880 && body.retry_after <= 900, `${body.retry_after} seconds`);
  assert.equal(headers.get('retry-after'), String(body.retry_after));
}

test('after ten failures for a user the next is rejected, from any address, with any password', async () => {
  const { email } = await asMember();
  for (let failure = 1; failure <= 10; failure += 1)
    assert.equal((await login({ email, password: `wrong ${failure}` })).status, 401);
  assertThrottled(await login({ email, password: PASSWORD }));
  assertThrottled(await login({ email: email.toUpperCase(), password: PASSWORD }));
  assert.equal((await login({ email: (await asMember()).email, password: PASSWORD })).status, 200);
});

test('an unknown address is rejected in the same way', async () => {
  const email = unknown();
  for (let failure = 1; failure <= 10; failure += 1)
    assert.equal((await login({ email, password: PASSWORD })).status, 401);
  assertThrottled(await login({ email, password: PASSWORD }));
});

test('after ten failures of a client its next attempt is rejected, for any user', async () => {
  const { email } = await asMember();
  const address = newAddress();
  for (let failure = 1; failure <= 10; failure += 1)
    assert.equal((await login({ email: unknown(), password: PASSWORD }, address)).status, 401);
  assertThrottled(await login({ email, password: PASSWORD }, address));
  assert.equal((await login({ email, password: PASSWORD })).status, 200);
});

test('concurrent attempts do not circumvent the limit', async () => {
  const address = newAddress();
  const { email } = await asMember();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => login({ email, password: `wrong ${index}` }, address)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 20);
});

test('successful attempts and invalid requests do not count as failures', async () => {
  const address = newAddress();
  const { email } = await asMember();
  for (let round = 0; round < 12; round += 1) {
    assert.equal((await login({ email, password: PASSWORD }, address)).status, 200);
    assert.equal((await login({ email }, address)).status, 400);
  }
});
