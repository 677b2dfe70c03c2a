import assert from 'node:assert/strict';
import test from 'node:test';
import { signInBrowser } from '../../../../test/harness/browser-session.ts';
import type { Client } from '../../../../test/harness/client.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp({ RATE_LIMITS: 'on' });

for (const [limit, kinds] of [
  [100, [['GET', '/api/templates'] as const, ['GET', '/api/templates/x/versions'] as const]],
  [50, [['POST', '/api/templates'] as const, ['PUT', '/api/templates/x'] as const]],
  [20, [['DELETE', '/api/templates/x'] as const, ['DELETE', '/api/templates/x/versions/y'] as const]],
  [30, [['POST', '/api/templates/preview/inline'] as const]],
] as const) {
  const names = kinds.map(([method, path]) => `${method} ${path}`).join(' and ');
  test(`${names}: ${limit} calls a minute per caller`, async () => {
    const { api } = await app.createTenant();
    const call = async (index: number) => {
      const [method, path] = kinds[index % kinds.length] ?? kinds[0];
      return api.send(method, path, method === 'POST' || method === 'PUT' ? { body: {} } : {});
    };
    for (let index = 0; index < limit; index += 1) assert.notEqual((await call(index)).status, 429);
    for (let index = 0; index < kinds.length; index += 1) {
      const { status, body, headers } = await call(index);
      assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED']);
      assert.ok(Number(headers.get('retry-after')) > 0);
    }
    const other = await app.createTenant();
    assert.notEqual((await other.api.get('/api/templates')).status, 429);
  });
}

test('previews of a browser session: 600 a minute, apart from those of API keys and other sessions', async () => {
  const { api, ownerEmail } = await app.createTenant();
  const preview = (client: Client) => client.send('POST', '/api/templates/preview/inline', { body: {} });
  const { page } = await signInBrowser(api, ownerEmail);
  for (let index = 0; index < 600; index += 1) assert.notEqual((await preview(page)).status, 429);
  assert.equal((await preview(page)).status, 429);
  assert.notEqual((await preview((await signInBrowser(api, ownerEmail)).page)).status, 429);
  assert.notEqual((await preview(api)).status, 429);
});
