import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { createFirstTenant, describeFirstCredentials } from './first-tenant.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp({
  PUBLIC_URL: 'https://first.example.test',
  CONSOLE_URL: 'https://console.example.test',
});
const isEmbedded = app.database.kind === 'embedded';

test('a worker creates no demo tenant', async () => {
  const { platform } = app.app;
  const worker = { ...platform, config: { ...platform.config, role: 'worker' as const } };
  assert.equal(await createFirstTenant(worker), null);
});

test('a server database gets no demo tenant', { skip: isEmbedded && 'needs TEST_DATABASE_URL' }, async () => {
  assert.equal(await createFirstTenant(app.app.platform), null);
  assert.equal((await app.admin.get('/admin/tenants')).body.total, 0);
});

test('an empty embedded database gets a demo tenant whose key is printed, once', {
  skip: !isEmbedded && 'a server database gets none',
}, async () => {
  const { platform } = app.app;
  const access = await createFirstTenant(platform);
  assert.ok(access);
  const text = describeFirstCredentials(access);
  for (const part of [
    'https://first.example.test',
    'https://console.example.test/console',
    access.email,
    access.password,
    access.apiKey,
  ])
    assert.ok(text.includes(part));
  assert.equal(await createFirstTenant(platform), null);
});
