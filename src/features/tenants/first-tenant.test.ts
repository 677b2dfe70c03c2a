import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createClient } from '../../../test/harness/client.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { startProcess } from '../../../test/harness/process.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { verifyPassword } from '../../secrets/passwords.ts';
import { createFirstTenant, describeFirstAccess } from './first-tenant.ts';

const app = await startTestApp({ PUBLIC_URL: 'https://first.example.test' });
const isEmbedded = app.database.kind === 'embedded';

test('the first start of the program prints a demo owner once, and the URL on every start', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-first-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startProcess({ DATA_DIR: dataDir });
  const apiKey = /API key +(tsk_\S+)/.exec(first.output())?.[1] ?? '';
  assert.match(first.output(), /e-mail +owner@demo\.local\n +password +\S{20}\n/);
  await eventually('the URL to be printed', () => /^Tessera \S+ runs at http:\S+$/m.exec(first.output()));
  const { body } = await createClient(first.url, { 'x-api-key': apiKey }).get('/api/tenant/info');
  assert.equal(body.code, 'demo');
  await first.kill('SIGTERM');
  const second = await startProcess({ DATA_DIR: dataDir });
  await eventually('the URL to be printed', () => /^Tessera \S+ runs at http:\S+$/m.exec(second.output()));
  assert.doesNotMatch(second.output(), /password|tsk_/);
  await createClient(second.url, { 'x-api-key': apiKey }).get('/api/tenant/info');
  await second.kill('SIGTERM');
});

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
  const { password_hash } = await platform.database.everyTenant
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', 'owner@demo.local')
    .executeTakeFirstOrThrow();
  assert.ok(await verifyPassword(access.password, password_hash));
  assert.equal(await createFirstTenant(platform), null);
});
