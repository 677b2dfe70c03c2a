import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { verifyPassword } from '../../secrets/passwords.ts';
import { createFirstTenant, describeFirstAccess } from './first-tenant.ts';

const app = await startTestApp({ PUBLIC_URL: 'https://first.example.test' });
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

test('an empty embedded database gets a demo tenant whose printed password is the stored one, once', {
  skip: !isEmbedded && 'a server database gets none',
}, async () => {
  const { platform } = app.app;
  const access = await createFirstTenant(platform);
  assert.ok(access);
  const text = describeFirstAccess(access);
  for (const part of ['https://first.example.test', access.email, access.password, access.apiKey])
    assert.ok(text.includes(part));
  const { password_hash } = await platform.database
    .everyTenant('tests')
    .query.selectFrom('users')
    .select('password_hash')
    .where('email', '=', 'owner@demo.local')
    .executeTakeFirstOrThrow();
  assert.ok(await verifyPassword(access.password, password_hash));
  assert.equal(await createFirstTenant(platform), null);
});
