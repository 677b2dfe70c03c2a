import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../harness/test-app.ts';

const { createTenant } = await startTestApp();

const MIB = 1024 * 1024;

/** An operation that accepts large bodies, and refuses a theme of more than 2 MiB. */
const PATH = '/api/form_themes';

/** Returns the body of a theme with this many options, of about 70 bytes each. */
function bodyWith(options: number): string {
  const entries = Array.from({ length: options }, (_, n) => [
    `additional_fields_data.f${n}`,
    { operation: 'nlike', value: `${n}` },
  ]);
  return JSON.stringify({ name: 'Theme', formBuilderThemeOptions: Object.fromEntries(entries) });
}

test('requests of one tenant are answered between large bodies of another', async () => {
  const [{ api: attacker }, { api: neighbour }] = [await createTenant(), await createTenant()];
  const rawBody = bodyWith(40_000);
  let isOver = false;
  const attacks = Array.from({ length: 4 }, () => attacker.send('POST', PATH, { rawBody }));
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
  // The first body takes long to read; the others arrive meanwhile.
  const slow = bodyWith(60_000);
  const large = JSON.stringify({ name: 'Theme', formBuilderThemeOptions: { text: 'a '.repeat(4.5 * MIB) } });
  const [served, ...attacks] = await Promise.all([
    neighbour.send('POST', PATH, { rawBody: bodyWith(2000) }),
    ...[slow, ...Array.from({ length: 12 }, () => large)].map((rawBody) =>
      attacker.send('POST', PATH, { rawBody }),
    ),
  ]);
  assert.equal(served.status, 200);
  const byStatus = Map.groupBy(attacks, ({ status }) => status);
  assert.deepEqual([...byStatus.keys()].sort(), [400, 429]);
  assert.ok(byStatus.get(429)?.every(({ headers }) => headers.get('retry-after') === '10'));
});
