import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const { createTenant } = await startTestApp();
const { api } = await createTenant();

async function newProject(): Promise<string> {
  const id = `site-${randomUUID()}`;
  await api.put(`/api/pages/project_metadata/${id}`, { name: 'Site', description: 'A site' });
  return id;
}

const path = (id: string) => `/api/pages/${id}/site-settings`;
const image = { url: 'https://x.example/a.png', alt: 'A', own: 1 };
const settings = {
  website_name: 'Site "ü"',
  favicon: image,
  logo_full_light: image,
  logo_full_dark: null,
  typography: { body: { source: 'google', family: 'Inter', googleFamily: 'Inter' }, heading: null },
  nav_header: 'header',
  social_facebook: 'https://f.example',
  ga_measurement_id: 'G-1',
  default_meta_title: 'Site',
  social_unknown: { z: [1, { y: null }], a: 1.5 },
};

test('settings are returned as written, including unknown ones, and a PUT replaces them all', async () => {
  const id = await newProject();
  assert.deepEqual((await api.get(path(id))).body, { id: 'site_settings' });
  assert.deepEqual((await api.put(path(id), settings)).body, { id: 'site_settings' });
  const { created_at, updated_at, ...read } = (await api.get(path(id))).body;
  assert.equal(created_at, updated_at);
  const first = { id: 'site_settings', project_id: id, version: 1, ...settings };
  assert.equal(JSON.stringify(read), JSON.stringify(first));
  await api.put(path(id), { website_name: 'Other' });
  const second = (await api.get(path(id))).body;
  assert.deepEqual(
    [Object.keys(second).length, second.website_name, second.version, second.created_at],
    [6, 'Other', 2, created_at],
  );
});

test('every version stays readable as it was returned then, including empty ones', async () => {
  const id = await newProject();
  const shown: object[] = [];
  for (const body of [settings, {}]) {
    await api.put(path(id), body);
    shown.push((await api.get(path(id))).body);
  }
  const key = `entityType=pages_site_settings&entitySortKey=${id}%23site_settings`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(
    versions.map(({ data }: { data: object }) => JSON.stringify(data)),
    shown.map((each) => JSON.stringify(each)),
  );
});

test('members that every record has are not settings, and a stale version is rejected', async () => {
  const id = await newProject();
  const mine = { id: 'mine', project_id: 'mine', created_at: 'never', updated_at: 'never' };
  await api.put(path(id), { ...mine, website_name: 'A' });
  await api.put(path(id), { website_name: 'B', version: 1 });
  assert.equal(
    (await api.put(path(id), { website_name: 'C', version: 1 }, 409)).body.code,
    'VERSION_CONFLICT',
  );
  const read = (await api.get(path(id))).body;
  assert.deepEqual(
    [read.id, read.project_id, read.website_name, read.version],
    ['site_settings', id, 'B', 2],
  );
  assert.notEqual(read.created_at, 'never');
});

for (const [what, change, field] of [
  ['a name that is no text', { website_name: 1 }, 'website_name'],
  ['a picture without an address', { favicon: { alt: 'A' } }, 'favicon.url'],
  ['a picture that is only an address', { logo_full_dark: 'https://x.example' }, 'logo_full_dark'],
  ['a font that is no text', { typography: { body: { family: 1 } } }, 'typography.body.family'],
  ['a slice that is no text', { nav_footer: {} }, 'nav_footer'],
] as const) {
  test(`settings with ${what} are rejected by name`, async () => {
    const { code, issues } = (await api.put(path(await newProject()), change, 400)).body;
    assert.equal(code, 'INVALID_REQUEST');
    assert.deepEqual(
      issues.map((issue: { field: string }) => issue.field),
      [field],
    );
  });
}

test('settings have a total size limit', async () => {
  const id = await newProject();
  await api.put(path(id), { own: 'x'.repeat(250_000) });
  assert.equal((await api.put(path(id), { own: 'ü'.repeat(140_000) }, 400)).body.code, 'INVALID_REQUEST');
});

test('settings may have the names of object members', async () => {
  const id = await newProject();
  const own = { constructor: 'a', toString: 1 };
  await api.put(path(id), own);
  const read = (await api.get(path(id))).body;
  assert.deepEqual([read.constructor, read.toString], ['a', 1]);
});
