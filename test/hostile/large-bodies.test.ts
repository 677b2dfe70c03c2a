import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../harness/test-app.ts';

const { createTenant } = await startTestApp();

const MIB = 1024 * 1024;

/** Returns a list's body with many filters, of about 70 bytes each. */
function bodyWith(filters: number): string {
  const entries = Array.from({ length: filters }, (_, n) => [
    `additional_fields_data.f${n}`,
    { operation: 'nlike', value: `${n}` },
  ]);
  return JSON.stringify({ page: 1, limit: 20, filters: Object.fromEntries(entries) });
}

test('requests of one tenant are answered between large bodies of another', async () => {
  const [{ api: attacker }, { api: neighbour }] = [await createTenant(), await createTenant()];
  const rawBody = bodyWith(40_000);
  let isOver = false;
  const attacks = Array.from({ length: 4 }, () =>
    attacker.send('POST', '/api/subscribers/list', { rawBody }),
  );
  const over = Promise.all(attacks).then(() => {
    isOver = true;
  });
  let answered = 0;
  while (!isOver) {
    await neighbour.get('/api/tenant/info');
    answered += 1;
  }
  await over;
  assert.ok(answered >= 5 * attacks.length, `${answered} requests beside ${attacks.length} attacks`);
});

test('a tenant with too many waiting large bodies gets 429, and another is served', async () => {
  const [{ api: attacker }, { api: neighbour }] = [await createTenant(), await createTenant()];
  const list = '/api/subscribers/list';
  // The first body takes long to read; the others arrive meanwhile.
  const slow = bodyWith(60_000);
  const large = JSON.stringify({ page: 1, limit: 20, filters: {}, search: 'a '.repeat(4.5 * MIB) });
  const [served, ...attacks] = await Promise.all([
    neighbour.send('POST', list, { rawBody: bodyWith(2000) }),
    ...[slow, ...Array.from({ length: 12 }, () => large)].map((rawBody) =>
      attacker.send('POST', list, { rawBody }),
    ),
  ]);
  assert.equal(served.status, 400);
  const byStatus = Map.groupBy(attacks, ({ status }) => status);
  assert.deepEqual([...byStatus.keys()].sort(), [400, 429]);
  assert.ok(byStatus.get(429)?.every(({ headers }) => headers.get('retry-after') === '10'));
});
