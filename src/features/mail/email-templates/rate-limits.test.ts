import assert from 'node:assert/strict';
import test from 'node:test';
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
