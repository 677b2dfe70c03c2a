import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Answer } from '../harness/client.ts';
import { PASSWORD, startOwnApp } from '../harness/test-app.ts';

/** Returns a client whose calls each come from another address. */
const app = await startOwnApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });
const [attacked, other] = [await app.createTenant(), await app.createTenant()];

function login(email: string, password: string, address: string): Promise<Answer> {
  const headers = { 'x-forwarded-for': address };
  return app.anonymous.send('POST', '/auth/login', { body: { email, password }, headers });
}

const countOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test('concurrent attempts on one account from many addresses get ten tries', async () => {
  const attack = Promise.all(
    Array.from({ length: 40 }, (_, n) => login(attacked.ownerEmail, `wrong ${n}`, `198.51.100.${n}`)),
  );
  assert.equal((await login(other.ownerEmail, PASSWORD, '203.0.113.1')).status, 200);
  const answers = await attack;
  assert.deepEqual([countOf(answers, 401), countOf(answers, 429)], [10, 30]);
});

test('addresses of one IPv6 /64 count as one client, and mapped addresses as IPv4', async () => {
  const unknown = () => `nobody-${randomUUID()}@example.com`;
  const attempts = (addresses: readonly string[]) =>
    Promise.all(addresses.map((address) => login(unknown(), PASSWORD, address)));
  const ofOneNetwork = Array.from({ length: 15 }, (_, n) => `2001:db8:0:1:${n + 1}::1`);
  assert.equal(countOf(await attempts(ofOneNetwork), 401), 10);
  const ofOneClient = Array.from({ length: 15 }, (_, n) =>
    n % 2 === 0 ? '198.51.100.200' : '::ffff:198.51.100.200',
  );
  assert.equal(countOf(await attempts(ofOneClient), 401), 10);
  assert.equal((await login(other.ownerEmail, PASSWORD, '2001:db8:0:2::1')).status, 200);
});
