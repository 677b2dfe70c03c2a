import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const PATH = '/api/tenant/settings';
const SETTINGS = {
  name: 'Acme Garden',
  brand_settings: { logo_url: 'https://x.test/l.png', primary_color: '#abcdef', locale: 'de' },
  time_zone: 'Europe/Berlin',
  session_hours: 720,
};

test('an owner changes the settings, which every member reads', async () => {
  const tenant = await app.createTenant();
  const member = await createMember(tenant, []);
  const { body: first } = await member.api.get(PATH);
  assert.deepEqual(first, {
    name: first.name,
    brand_settings: { logo_url: '', primary_color: '' },
    time_zone: 'UTC',
    session_hours: 12,
    version: 1,
  });
  assert.deepEqual((await tenant.api.put(PATH, { ...SETTINGS, version: 1 })).body, { version: 2 });
  assert.deepEqual((await member.api.get(PATH)).body, { ...SETTINGS, version: 2 });
  await tenant.api.patch(PATH, { session_hours: 1 });
  assert.deepEqual((await member.api.get(PATH)).body, { ...SETTINGS, session_hours: 1, version: 3 });
  await member.api.put(PATH, SETTINGS, 403);
});

test('the settings and the operator change one name and one brand', async () => {
  const { api, code } = await app.createTenant();
  await api.put(PATH, SETTINGS);
  const { tenant } = (await api.get('/api/tenant/healthcheck')).body;
  assert.equal(tenant.name, SETTINGS.name);
  assert.deepEqual(tenant.brand_settings, SETTINGS.brand_settings);
  await app.admin.put(`/admin/tenants/${code}`, { name: 'Acme' });
  assert.deepEqual((await api.get(PATH)).body, { ...SETTINGS, name: 'Acme', version: 3 });
});

test('an update with an old version is refused', async () => {
  const { api, code } = await app.createTenant();
  await app.admin.put(`/admin/tenants/${code}`, { name: 'Acme' });
  assert.equal((await api.put(PATH, { ...SETTINGS, version: 1 }, 409)).body.code, 'VERSION_CONFLICT');
  assert.equal((await api.get(PATH)).body.name, 'Acme');
});

test('invalid settings are refused with their field', async () => {
  const { api } = await app.createTenant();
  for (const [field, value] of [
    ['name', ''],
    ['time_zone', 'Europe/Nowhere'],
    ['session_hours', 0],
    ['session_hours', 721],
    ['session_hours', 1.5],
    ['brand_settings.locale', 'not a language'],
  ] as const) {
    const [first, second] = field.split('.');
    const change = second
      ? { brand_settings: { ...SETTINGS.brand_settings, [second]: value } }
      : { [String(first)]: value };
    const { body } = await api.put(PATH, { ...SETTINGS, ...change }, 400);
    assert.deepEqual(
      body.issues.map((issue: { field: string }) => issue.field),
      [field],
    );
  }
});
