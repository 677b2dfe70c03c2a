/** Contents of projects are deleted and copied with them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { createProject, documentBody, projectOf } from '../../../../test/harness/documents.ts';
import { countStored, fillProject, isBeingDeleted } from '../../../../test/harness/many-documents.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const { app, createTenant } = await startTestApp();
const tenant = await createTenant();
const { api, defaultUnitId } = tenant;

const meta = (id: string) => `/api/pages/project_metadata/${id}`;
const body = (more: object = {}) => ({ name: 'Site', description: 'A site', ...more });
const slice = { id: 'hero', name: 'Hero', description: 'Big', variations: [] };
const settings = {
  website_name: 'Site',
  logo_full_dark: { url: 'https://x.example/a.png', alt: 'A' },
  own: [1],
};

/** Creates a project with one record of each kind. */
async function fullProject(more: object = {}) {
  const { id, putDocument } = await createProject(api, more);
  await putDocument('home', { data: '{"z":1,"a":2}', status: 'live' });
  await api.put(`/api/pages/${id}/slice-model`, slice);
  await api.put(`/api/pages/${id}/site-settings`, settings);
  return id;
}

async function historyOf(entityType: string, key: string) {
  const query = `entityType=${entityType}&entitySortKey=${encodeURIComponent(key)}`;
  return (await api.get(`/api/entity/versions?${query}`)).body;
}

async function deletedOf(entityType: string, project: string): Promise<string[]> {
  const all = (await api.get(`/api/entity/deleted-records?entityType=${entityType}`)).body;
  return all
    .map(({ sk }: { sk: string }) => sk)
    .filter((sk: string) => sk.startsWith(`${project}#`) && !sk.includes('#VERSION'));
}

test('a project is deleted with all its records, each with its deletion in history', async () => {
  const id = await fullProject();
  const path = `/api/pages/${id}`;
  assert.deepEqual((await api.delete(meta(id))).body, { id });
  for (const gone of [
    meta(id),
    `${path}/site-settings`,
    `${path}/document-model`,
    `${path}/document-model/page`,
    `${path}/slice-model`,
    `${path}/document?id=home`,
  ])
    await api.get(gone, 404);
  await api.delete(meta(id), 404);
  await projectOf(api, id).putDocument('home', {}, 404);
  await projectOf(api, id).list({}, 404);
  await api.put(`${path}/site-settings`, {}, 404);
  assert.deepEqual(await deletedOf('pages_document', id), [`${id}#home`]);
  assert.deepEqual(await deletedOf('pages_document_model', id), [`${id}#page`]);
  assert.deepEqual(await deletedOf('pages_slice_model', id), [`${id}#hero`]);
  assert.deepEqual(await deletedOf('pages_site_settings', id), [`${id}#site_settings`]);
});

test('a recreated project is empty, and its records continue their versions', async () => {
  const id = await fullProject();
  await api.delete(meta(id));
  await api.put(meta(id), body());
  assert.deepEqual((await api.get(`/api/pages/${id}/site-settings`)).body, { id: 'site_settings' });
  const project = projectOf(api, id);
  assert.equal((await project.list()).body.total, 0);
  await project.putModel('page');
  await project.putDocument('home');
  assert.deepEqual(
    (await historyOf('pages_document', `${id}#home`)).map(({ version }: { version: number }) => version),
    [1, 2],
  );
  assert.equal((await api.get(meta(id))).body.version, 2);
});

test('a job deletes the records of a large project, which are invisible meanwhile', async () => {
  const { id } = await createProject(api);
  await fillProject(app.platform, tenant, id, 1200);
  await api.delete(meta(id));
  await api.get(`/api/pages/${id}/document?id=d1200`, 404);
  await eventually('the deletion', async () => (await countStored(app.platform, tenant, id)) === 0);
  // The list of deleted records has at most a thousand entries.
  assert.equal(new Set(await deletedOf('pages_document', id)).size, 1000);
});

test('recreating a large project finishes its deletion first', async () => {
  const { id } = await createProject(api);
  await fillProject(app.platform, tenant, id, 1600);
  await api.delete(meta(id));
  await api.put(meta(id), body());
  const project = projectOf(api, id);
  assert.equal((await project.list()).body.total, 0);
  await project.putModel('page');
  await project.putDocument('mine');
  // The deletion job finds nothing left.
  await eventually('the job of the deletion', async () => !(await isBeingDeleted(app.platform, tenant, id)));
  assert.equal((await project.list()).body.total, 1);
});

test('a copy contains the records of the original, under its own id and in the named unit', async () => {
  const south = await createUnit(tenant, `South ${randomUUID()}`);
  const redirect_config = { source_domains: ['site.example'] };
  const id = await fullProject({ redirect_config, preview_config: { domain: 'p.example' } });
  const { body: answer } = await api.post(`${meta(id)}/duplicate`, { name: 'Copy', business_unit_id: south });
  assert.deepEqual(Object.keys(answer), ['id']);
  const copy = (await api.get(meta(answer.id))).body;
  assert.deepEqual(
    [
      copy.name,
      copy.description,
      copy.duplicated_from,
      copy.business_unit_id,
      copy.redirect_config,
      copy.version,
    ],
    ['Copy', 'A site', id, south, redirect_config, 1],
  );
  const { api: southern } = await createMember(tenant, [{ bu_id: south, role: 'viewer' }]);
  const path = `/api/pages/${copy.id}`;
  assert.equal((await southern.get(`${path}/document?id=home`)).body.data, '{"z":1,"a":2}');
  assert.equal((await southern.get(`${path}/document-model/page`)).body.label, 'Model');
  assert.equal((await southern.get(`${path}/slice-model`)).body.results[0].id, 'hero');
  const shown = (await southern.get(`${path}/site-settings`)).body;
  assert.deepEqual([shown.website_name, shown.own, shown.project_id], ['Site', [1], copy.id]);
  assert.equal((await historyOf('pages_document', `${copy.id}#home`)).length, 1);
  // Original and copy are independent from then on.
  await projectOf(api, id).putDocument('home', { data: 'changed' });
  assert.equal((await southern.get(`${path}/document?id=home`)).body.data, '{"z":1,"a":2}');
});

test('a large project is copied completely', async () => {
  const { id } = await createProject(api);
  await fillProject(app.platform, tenant, id, 1300);
  const { id: copy } = (await api.post(`${meta(id)}/duplicate`, { name: 'Copy' })).body;
  const list = (await projectOf(api, copy).list()).body;
  assert.equal(list.total, 1300);
  assert.equal(list.results[0].id, 'd1300');
});

test('a copy needs a name, a writable unit, and an existing original', async () => {
  const north = await createUnit(tenant, `North ${randomUUID()}`);
  const { api: reader } = await createMember(tenant, [
    { bu_id: north, role: 'viewer' },
    { bu_id: defaultUnitId, role: 'editor' },
  ]);
  const { id } = await createProject(api);
  assert.equal((await api.post(`${meta(id)}/duplicate`, {}, 400)).body.issues[0].field, 'name');
  await reader.post(`${meta(id)}/duplicate`, { name: 'Copy', business_unit_id: north }, 403);
  await api.post(`${meta(`site-${randomUUID()}`)}/duplicate`, { name: 'Copy' }, 404);
});

/** Returns the number of documents of a tenant without a project. */
async function countOrphans(tenantId: string): Promise<number> {
  const { rows } = await app.platform.scoped(wholeTenant(tenantId)).raw(
    (of) => sql<{ count: number }>`
      select count(*)::int as count from documents d where d.tenant_id = ${of}::uuid
        and not exists (select from page_projects p where p.tenant_id = ${of}::uuid and p.id = d.project_id)`,
  );
  return rows[0]?.count ?? 0;
}

test('a record written while its project is deleted is deleted with it, or rejected', async () => {
  const own = await createTenant();
  for (let round = 0; round < 5; round += 1) {
    const project = await createProject(own.api);
    const writes = Array.from({ length: 12 }, (_, n) =>
      own.api.send('PUT', `${project.path}/d${n}`, { body: documentBody(`d${n}`) }),
    );
    const deletion = own.api.delete(meta(project.id));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    await deletion;
    assert.ok(
      statuses.every((status) => status === 200 || status === 404),
      String(statuses),
    );
  }
  await eventually(
    'all contents of the copy to be deleted',
    async () => (await countOrphans(own.tenantId)) === 0,
  );
});

test('a copy fails if its original is deleted meanwhile', async () => {
  const own = await createTenant();
  const { id } = await createProject(own.api);
  await fillProject(app.platform, own, id, 1500);
  const copying = own.api.send('POST', `${meta(id)}/duplicate`, { body: { name: 'Copy' } });
  await eventually('the copy to begin', async () => (await countOrphans(own.tenantId)) > 0);
  await own.api.delete(meta(id));
  assert.equal((await copying).status, 404);
  await eventually(
    'all contents of the copy to be deleted',
    async () => (await countOrphans(own.tenantId)) === 0,
  );
  assert.deepEqual((await own.api.get('/api/pages/project_metadata/list')).body, []);
});

test('a copy fails with a reason if a uid moves to another document meanwhile', async () => {
  const own = await createTenant();
  const { id, path } = await createProject(own.api);
  await fillProject(app.platform, own, id, 5000);
  const copying = own.api.send('POST', `${meta(id)}/duplicate`, { body: { name: 'Copy' } });
  await eventually('the copy to begin', async () => (await countOrphans(own.tenantId)) > 0);
  await own.api.put(`${path}/d1`, { ...documentBody('d1'), uid: 'moved' });
  // The last one in key order.
  await own.api.put(`${path}/d999`, { ...documentBody('d999'), uid: 'd1' });
  const { status, body } = await copying;
  assert.deepEqual([status, body.code], [409, 'COPY_OVERTAKEN']);
  await eventually(
    'all contents of the copy to be deleted',
    async () => (await countOrphans(own.tenantId)) === 0,
  );
});
