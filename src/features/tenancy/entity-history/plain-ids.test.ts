import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

const project = (id: string, more: object = {}) =>
  api.put(`/api/pages/project_metadata/${id}`, { name: id, description: '', ...more });
const model = (projectId: string, id: string) =>
  api.put(`/api/pages/${projectId}/document-model`, {
    ...{ id, label: id, format: 'page', repeatable: true, status: true, json: {} },
  });
const versions = async (key: string, status = 200, client = api) => {
  const query = `entityType=pages_document_model&entitySortKey=${encodeURIComponent(key)}`;
  return (await client.get(`/api/entity/versions?${query}`, status)).body;
};

test('records of projects are found by their plain id if only one project has or had it', async () => {
  await project('one');
  await project('two');
  await model('one', 'post');
  assert.deepEqual(await versions('post'), await versions('one#post'));
  assert.equal((await versions('post')).length, 1);
  const query = 'entityType=pages_document_model&entitySortKey=post';
  assert.equal((await api.get(`/api/entity/versions/1?${query}`)).body.version, 1);
  await api.delete('/api/pages/one/document-model/post');
  assert.equal((await versions('post')).length, 1);
  await model('two', 'post');
  const { issues } = await versions('post', 400);
  assert.equal(issues[0].field, 'entitySortKey');
  await api.get(`/api/entity/versions/1?${query}`, 400);
  assert.equal((await versions('two#post')).length, 1);
  assert.deepEqual(await versions('nothing'), []);
  await api.put('/api/pages/two/site-settings', { website_name: 'Two' });
  const settings = 'entityType=pages_site_settings&entitySortKey=site_settings';
  assert.equal((await api.get(`/api/entity/versions?${settings}`)).body.length, 1);
});

test('projects that the caller cannot read make no id ambiguous', async () => {
  const { bu_id } = (await api.post('/api/client/v1/business-units', { name: 'North' })).body;
  await project('north', { business_unit_id: bu_id });
  await project('south');
  await model('north', 'page');
  await model('south', 'page');
  await versions('page', 400);
  const member = await createMember(tenant, [{ bu_id, role: 'viewer' }]);
  assert.deepEqual(await versions('page', 200, member.api), await versions('north#page'));
});
