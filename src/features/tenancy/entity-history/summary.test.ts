import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createForm, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();

async function read(api: TestTenant['api'], entityType: string, entitySortKey: string, status = 200) {
  const query = new URLSearchParams({ entityType, entitySortKey });
  return (await api.get(`/api/entity/record?${query}`, status)).body;
}

test('a record has the title of its newest version, and the members that a restore can name', async () => {
  const { api } = await app.createTenant();
  const theme = { name: 'Green', formBuilderThemeOptions: {} };
  const { code } = (await api.post('/api/form_themes', theme)).body;
  await api.patch(`/api/form_themes/${code}`, { name: 'Blue' });
  const { actor, ...found } = await read(api, 'form_theme', code);
  assert.deepEqual(
    [found.entity_type, found.key, found.title, found.version, found.deleted_at, found.refusal],
    ['form_theme', code, 'Blue', 2, null, null],
  );
  assert.equal(actor.name, 'Owner');
  assert.ok(found.restorable_fields.includes('name'));
  assert.ok(!found.restorable_fields.includes('version'));
});

test('the summary of a deleted record names the time of the deletion and the member', async () => {
  const { api } = await app.createTenant();
  const { code } = (await api.post('/api/form_themes', { name: 'Green', formBuilderThemeOptions: {} })).body;
  await api.delete(`/api/form_themes/${code}`);
  const { version, deleted_at, actor, refusal } = await read(api, 'form_theme', code);
  assert.deepEqual([version, actor.name, refusal], [1, 'Owner', null]);
  assert.match(deleted_at, /^\d{4}-.*Z$/);
});

test('a record of a kind that is never restored has the reason', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const unit = await createUnit(tenant, 'Garden');
  const form = await createForm(api, { name: 'Contact' });
  const submission = await submit(api, form);
  const index = { name: 'herbs', contentsDescription: 'Herbs', metadataDefinition: [] };
  await api.post('/api/ai/indexes', index);
  for (const [kind, key, refusal] of [
    ['business_unit', unit, 'own_operation'],
    ['form_submission', submission, 'erased'],
    ['ai_vector_index', 'herbs', 'unchangeable'],
  ] as const) {
    const found = await read(api, kind, key);
    assert.deepEqual([found.refusal, found.restorable_fields], [refusal, []], kind);
  }
});

test('an index that is deleted can be created again', async () => {
  const { api } = await app.createTenant();
  await api.post('/api/ai/indexes', { name: 'herbs', contentsDescription: 'Herbs', metadataDefinition: [] });
  await api.delete('/api/ai/indexes/herbs');
  assert.equal((await read(api, 'ai_vector_index', 'herbs')).refusal, null);
});

test('a record of another unit or tenant, and an unknown one, do not exist', async () => {
  const tenant = await app.createTenant();
  const [garden, kitchen] = [await createUnit(tenant, 'Garden'), await createUnit(tenant, 'Kitchen')];
  const code = await createForm(tenant.api, { name: 'Seeds', business_unit: garden });
  const cook = await createMember(tenant, [{ bu_id: kitchen, role: 'admin' }]);
  const stranger = await app.createTenant();
  await read(cook.api, 'form', code, 404);
  await read(stranger.api, 'form', code, 404);
  await read(tenant.api, 'form', 'none', 404);
  assert.equal((await read(tenant.api, 'form', code)).title, 'Seeds');
});
