/** Models and their usage when a project is copied, synced or deleted. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();

async function createProject(more: object = {}): Promise<string> {
  const metadata = { name: 'Site', description: 'A site', ...more };
  return (await api.put(`/api/pages/project_metadata/p-${randomUUID()}`, metadata)).body.id;
}

const putModel = (project: string, id: string, slices: readonly string[]) =>
  api.put(`/api/pages/${project}/document-model`, {
    id,
    label: id,
    format: 'page',
    repeatable: true,
    status: true,
    json: {
      Main: {
        body: { type: 'Slices', config: { choices: Object.fromEntries(slices.map((slice) => [slice, {}])) } },
      },
    },
  });
const putSlice = (project: string, id: string, more: object = {}) =>
  api.put(`/api/pages/${project}/slice-model`, { id, name: id, ...more });
const layoutOf = (...allow: string[]) => ({
  kind: 'layout',
  variations: [{ id: 'default', columns: [{ allow }] }],
});

/** Returns the slices that are stored in a project itself. */
async function ownSlices(project: string): Promise<string[]> {
  const { results } = (await api.get(`/api/pages/${project}/slice-model?limit=100`)).body;
  return results
    .filter(({ project_id }: { project_id: string }) => project_id === project)
    .map(({ id }: { id: string }) => id)
    .sort();
}
async function usersOf(project: string, slice: string): Promise<string[]> {
  const { results } = (await api.get(`/api/pages/${project}/slice-model/${slice}/usage`)).body;
  return results.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`);
}

/** Creates a project with a bespoke slice in use, a layout and a core slice. */
async function createFilled(more: object = {}) {
  const project = await createProject(more);
  const core = `core-${randomUUID()}`;
  await putSlice(project, 'hero');
  await putSlice(project, 'columns', layoutOf('hero'));
  await putSlice(project, core, { origin: 'core' });
  await putModel(project, 'page', ['hero', core]);
  return { project, core };
}

test('a copy of a project has its models and slices with their usage; core slices are not copied', async () => {
  const { project } = await createFilled();
  const { body } = await api.post(`/api/pages/project_metadata/${project}/duplicate`, { name: 'Copy' });
  assert.deepEqual(await ownSlices(body.id), ['columns', 'hero']);
  assert.deepEqual(await usersOf(body.id, 'hero'), ['document_model page', 'slice_model columns']);
  await putModel(body.id, 'page', []);
  assert.deepEqual(await usersOf(body.id, 'hero'), ['slice_model columns']);
  assert.deepEqual(await usersOf(project, 'hero'), ['document_model page', 'slice_model columns']);
});

test('synchronising adds changed models, and their usage', async () => {
  const { project } = await createFilled({ is_template: true });
  const site = await createProject({ template_id: project });
  const sync = () => api.post(`/api/pages/project_metadata/${site}/sync-template`, {});
  await sync();
  assert.deepEqual(await usersOf(site, 'hero'), ['document_model page', 'slice_model columns']);
  await putSlice(project, 'quote');
  await putModel(project, 'page', ['quote']);
  await sync();
  assert.deepEqual(await usersOf(site, 'hero'), ['slice_model columns']);
  assert.deepEqual(await usersOf(site, 'quote'), ['document_model page']);
});

test('deleting a project deletes its models with history; its core slices stay', async () => {
  const { project, core } = await createFilled();
  const other = await createProject();
  await putModel(other, 'page', [core]);
  await api.delete(`/api/pages/project_metadata/${project}`);
  await api.get(`/api/pages/${project}/slice-model`, 404);
  await api.get(`/api/pages/${project}/slice-model/${core}/usage`, 404);
  await eventually('the contents of the project to be deleted', async () => {
    const { body } = await api.get('/api/entity/deleted-records?entityType=pages_slice_model');
    const keys = body.map(({ sk }: { sk: string }) => sk);
    return keys.includes(`${project}#hero`) && keys.includes(`${project}#columns`);
  });
  const { body } = await api.get(`/api/pages/${other}/slice-model/${core}`);
  assert.deepEqual([body.origin, body.project_id], ['core', project]);
  assert.deepEqual(await usersOf(other, core), ['document_model page']);
  await putSlice(other, core, { origin: 'core', category: 'changed' });
  await api.delete(`/api/pages/${other}/slice-model/${core}`);
});
