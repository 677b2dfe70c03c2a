import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { formBody } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const LIST = '/api/deleted-records/list';

interface Item {
  readonly entity_type: string;
  readonly key: string;
  readonly title: string;
}

async function listOf(client: typeof api, more: object = {}) {
  const { body } = await client.post(LIST, { page: 1, limit: 100, ...more });
  return { ...body, titles: body.results.map(({ title }: Item) => title) };
}

async function deleteNew(path: string, body: object, key: string): Promise<string> {
  const created = (await api.post(path, body)).body[key];
  await api.delete(`${path}/${created}`);
  return created;
}

const garden = await createUnit(tenant, 'Garden');
const kitchen = await createUnit(tenant, 'Kitchen');
const gardener = await createMember(tenant, [{ bu_id: garden, role: 'viewer' }]);

const form = await deleteNew(
  '/api/forms',
  formBody({ name: 'Order of seeds', business_unit: garden }),
  'code',
);
await deleteNew('/api/lists', { name: 'Seed buyers', business_unit: kitchen }, 'id');
await deleteNew('/api/entities', { name: 'plant', fields: [{ name: 'title', type: 'string' }] }, 'name');

test('deleted records of all kinds are listed, newest first, with the member who deleted them', async () => {
  const { results, titles, total, totalPages } = await listOf(api);
  assert.deepEqual(titles, ['plant', 'Seed buyers', 'Order of seeds']);
  assert.deepEqual([total, totalPages], [3, 1]);
  const { deleted_at, actor, is_restorable: isRestorable, ...item } = results[2];
  assert.deepEqual(item, { entity_type: 'form', key: form, title: 'Order of seeds' });
  assert.match(deleted_at, /^\d{4}-.*Z$/);
  assert.deepEqual([actor.kind, actor.name, isRestorable], ['member', 'Owner', true]);
});

test('pages, filters and search restrict the list', async () => {
  const second = await listOf(api, { page: 2, limit: 2 });
  assert.deepEqual([second.titles, second.total, second.totalPages], [['Order of seeds'], 3, 2]);
  assert.deepEqual(
    [(await listOf(api, { page: 9 })).titles, (await listOf(api, { page: 9 })).total],
    [[], 3],
  );
  const kinds = { entity_type: { operation: 'in', value: ['form', 'entity'] } };
  assert.deepEqual((await listOf(api, { filters: kinds })).titles, ['plant', 'Order of seeds']);
  const [{ deleted_at }] = (await listOf(api, { filters: kinds })).results;
  assert.deepEqual((await listOf(api, { filters: { deleted_at: { gte: deleted_at } } })).titles, ['plant']);
  assert.deepEqual((await listOf(api, { search: 'SEED' })).titles, ['Seed buyers', 'Order of seeds']);
  assert.deepEqual((await listOf(api, { search: 'seed order' })).titles, ['Order of seeds']);
  assert.deepEqual((await listOf(api, { search: form })).titles, ['Order of seeds']);
  const { body } = await api.post(LIST, { page: 1, limit: 5, filters: { owner: 'x' } }, 400);
  assert.equal(body.issues[0].field, 'filters.owner');
});

test('a member sees deleted records of its units and of the tenant, another tenant none', async () => {
  assert.deepEqual((await listOf(gardener.api)).titles, ['plant', 'Order of seeds']);
  const ungranted = await createMember(tenant, []);
  assert.deepEqual((await listOf(ungranted.api)).titles, []);
  assert.deepEqual((await listOf((await app.createTenant()).api)).titles, []);
});

test('removed memberships are shown only to owners', async () => {
  const { membershipId } = await createMember(tenant, [{ bu_id: garden, role: 'admin' }]);
  await api.delete(`/api/client/v1/memberships/${membershipId}`);
  const kinds = { entity_type: { operation: 'eq', value: 'tenant_membership' } };
  assert.equal((await listOf(api, { filters: kinds })).total, 1);
  assert.equal((await listOf(gardener.api, { filters: kinds })).total, 0);
});

test('a restored record is not listed until it is deleted again', async () => {
  const isListed = async () => (await listOf(api, { search: form })).total === 1;
  await api.post('/api/entity/restore', { entityType: 'form', entitySortKey: form });
  assert.equal(await isListed(), false);
  await api.delete(`/api/forms/${form}`);
  assert.equal(await isListed(), true);
});
