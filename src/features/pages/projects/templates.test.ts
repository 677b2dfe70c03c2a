/** Templates, and syncing projects with them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createProject, projectOf } from '../../../../test/harness/documents.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const { createTenant } = await startTestApp();
const tenant = await createTenant();
const { api, defaultUnitId } = tenant;

const meta = (id: string) => `/api/pages/project_metadata/${id}`;
const body = (more: object = {}) => ({ name: 'Site', description: 'A site', ...more });
const read = async (id: string) => (await api.get(meta(id))).body;
const sync = async (id: string) => (await api.post(`${meta(id)}/sync-template`, {})).body;
const putSlice = (project: string, id: string, name: string) =>
  api.put(`/api/pages/${project}/slice-model`, { id, name, description: '', variations: [] });
const labelOf = async (project: string, id: string) =>
  (await api.get(`/api/pages/${project}/document-model/${id}`)).body.label;
const sliceNames = async (project: string) =>
  (await api.get(`/api/pages/${project}/slice-model`)).body.results.map(({ name }: { name: string }) => name);

const createTemplate = () => createProject(api, { is_template: true });

/** Creates a project from a template. */
async function createFrom(template: string): Promise<string> {
  const id = `site-${randomUUID()}`;
  await api.put(meta(id), body({ template_id: template }));
  return id;
}

test('the version of a template increases with each change of a model, and only templates show it', async () => {
  const { id, putModel, putDocument } = await createTemplate();
  const before = (await read(id)).template_version;
  await putModel('page', { label: 'Changed' });
  await putSlice(id, 'hero', 'Hero');
  await api.delete(`/api/pages/${id}/slice-model/hero`);
  await putDocument('home');
  const { template_version, version } = await read(id);
  assert.equal(template_version, before + 3);
  assert.equal(version, 1);
  await api.put(meta(id), body({ is_template: false }));
  assert.ok(!('template_version' in (await read(id))));
});

test('a sync adds new and changed models of both kinds, and returns the synced version', async () => {
  const { id: template, putModel } = await createTemplate();
  await putSlice(template, 'hero', 'Hero');
  const id = await createFrom(template);
  assert.ok(!('synced_template_version' in (await read(id))));
  const first = await sync(id);
  assert.deepEqual(first, { id, synced_template_version: (await read(template)).template_version });
  assert.equal(await labelOf(id, 'page'), 'Model');
  assert.deepEqual(await sliceNames(id), ['Hero']);
  const { synced_template_version, template_synced_at } = await read(id);
  assert.equal(synced_template_version, first.synced_template_version);
  assert.match(template_synced_at, /^\d{4}-.*Z$/);

  await putModel('page', { label: 'Better' });
  await putModel('post', { label: 'Post' });
  assert.equal(await labelOf(id, 'page'), 'Model');
  const second = await sync(id);
  assert.equal(second.synced_template_version, first.synced_template_version + 2);
  assert.deepEqual([await labelOf(id, 'page'), await labelOf(id, 'post')], ['Better', 'Post']);
  // Unchanged models get no new version.
  const { results } = (await api.get(`/api/pages/${id}/slice-model`)).body;
  assert.equal(results[0].version, 1);
  assert.deepEqual(await sync(id), second);
});

test('models that were changed, created or deleted in the project stay so, with a warning', async () => {
  const { id: template, putModel } = await createTemplate();
  for (const name of ['changed', 'deleted', 'own']) await putModel(name);
  const id = await createFrom(template);
  const { putModel: putOwn } = projectOf(api, id);
  await putOwn('own', { label: 'Mine' });
  assert.deepEqual((await sync(id)).warnings, [
    { field: 'own', message: 'belongs to this project only and was not changed' },
  ]);
  await putOwn('changed', { label: 'Mine' });
  await api.delete(`/api/pages/${id}/document-model/deleted`);
  for (const name of ['changed', 'deleted', 'own', 'page']) await putModel(name, { label: 'Theirs' });
  const { warnings } = await sync(id);
  assert.deepEqual(warnings.map(({ field }: { field: string }) => field).sort(), [
    'changed',
    'deleted',
    'own',
  ]);
  assert.deepEqual(
    [await labelOf(id, 'changed'), await labelOf(id, 'own'), await labelOf(id, 'page')],
    ['Mine', 'Mine', 'Theirs'],
  );
  await api.get(`/api/pages/${id}/document-model/deleted`, 404);
});

test('a core slice created through the project stays core, with a warning', async () => {
  const { id: template } = await createTemplate();
  const slice = `slice-${randomUUID()}`;
  await putSlice(template, slice, 'Theirs');
  const id = await createFrom(template);
  await api.put(`/api/pages/${id}/slice-model`, { id: slice, name: 'Core', origin: 'core' });
  assert.deepEqual((await sync(id)).warnings, [
    { field: slice, message: 'belongs to this project only and was not changed' },
  ]);
  const { id: elsewhere } = await createProject(api);
  const { name, origin } = (await api.get(`/api/pages/${elsewhere}/slice-model/${slice}`)).body;
  assert.deepEqual([name, origin], ['Core', 'core']);
  await api.delete(`/api/pages/${id}/slice-model/${slice}`);
});

test('changes that a template syncs from its own template are changes for its projects', async () => {
  const { id: first } = await createTemplate();
  const second = `site-${randomUUID()}`;
  await api.put(meta(second), body({ template_id: first, is_template: true }));
  const { template_version: before } = await read(second);
  await sync(second);
  const { template_version: after } = await read(second);
  assert.ok(after > before);
  await sync(second);
  assert.equal((await read(second)).template_version, after);
});

test('models removed from the template stay in the project', async () => {
  const { id: template } = await createTemplate();
  const id = await createFrom(template);
  await sync(id);
  await api.delete(`/api/pages/${template}/document-model/page`);
  assert.ok(!('warnings' in (await sync(id))));
  assert.equal(await labelOf(id, 'page'), 'Model');
});

test('a copy of a template is based on it, and a copy of a project on the same template', async () => {
  const { id: template, putModel } = await createTemplate();
  const { id: site } = (await api.post(`${meta(template)}/duplicate`, { name: 'Site' })).body;
  const { is_template, template_id, synced_template_version } = await read(site);
  assert.deepEqual(
    [is_template, template_id, synced_template_version],
    [false, template, (await read(template)).template_version],
  );
  await projectOf(api, site).putModel('own', { label: 'Mine' });
  const { id: copy } = (await api.post(`${meta(site)}/duplicate`, { name: 'Copy' })).body;
  await putModel('page', { label: 'Better' });
  for (const id of [site, copy]) {
    assert.ok(!('warnings' in (await sync(id))));
    assert.deepEqual([await labelOf(id, 'page'), await labelOf(id, 'own')], ['Better', 'Mine']);
  }
});

test('models changed in the original count as changed in a copy', async () => {
  const { id: template, putModel } = await createTemplate();
  const site = await createFrom(template);
  await sync(site);
  await projectOf(api, site).putModel('page', { label: 'Mine' });
  const { id: copy } = (await api.post(`${meta(site)}/duplicate`, { name: 'Copy' })).body;
  await putModel('page', { label: 'Better' });
  assert.equal((await sync(copy)).warnings.length, 1);
  assert.equal(await labelOf(copy, 'page'), 'Mine');
});

test('a sync needs an existing, readable template and the role of an editor', async () => {
  const unit = await createUnit(tenant, `Unit ${randomUUID()}`);
  const { api: viewer } = await createMember(tenant, [
    { bu_id: defaultUnitId, role: 'viewer' },
    { bu_id: unit, role: 'editor' },
  ]);
  const { api: southern } = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  const { id: plain } = await createProject(api);
  const refused = (await api.post(`${meta(plain)}/sync-template`, {}, 422)).body;
  assert.deepEqual([refused.code, refused.issues[0].field], ['VALIDATION_ERROR', 'template_id']);
  const { id: template } = await createTemplate();
  const id = await createFrom(template);
  await viewer.post(`${meta(id)}/sync-template`, {}, 403);
  const theirs = `site-${randomUUID()}`;
  await api.put(meta(theirs), body({ template_id: template, business_unit_id: unit }));
  await southern.post(`${meta(theirs)}/sync-template`, {}, 422);
  await viewer.post(`${meta(theirs)}/sync-template`, {});
  await api.delete(meta(template));
  await api.post(`${meta(id)}/sync-template`, {}, 422);
  assert.equal(await labelOf(theirs, 'page'), 'Model');
});
