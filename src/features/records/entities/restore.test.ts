import assert from 'node:assert/strict';
import test from 'node:test';
import { createAutomation } from '../../../../test/harness/automations.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const title = { name: 'title', type: 'string' };
const pages = { name: 'pages', type: 'integer' };

test('a deleted entity is restored as a definition without records', async () => {
  const { api, owner } = await createRecordsTenant(app, [{ name: 'book', fields: [title, pages] }]);
  await owner.post('/api/book', { title: 'Seeds' });
  await createAutomation(api, 'told', { triggerType: 'afterCreate', entityKey: 'book' });
  const before = (await api.get('/api/entities/book')).body;
  await api.delete('/api/entities/book?drop=true');
  const { body } = await api.post('/api/entity/restore', { entityType: 'entity', entitySortKey: 'book' });
  assert.deepEqual([body.version, body.changed_fields], [2, []]);
  assert.match(body.warnings[0].message, /without records/);
  const after = (await api.get('/api/entities/book')).body;
  assert.deepEqual([after.fields, after.created_at], [before.fields, before.created_at]);
  assert.deepEqual((await owner.get('/api/book')).body.data, []);
  await owner.post('/api/book', { title: 'New', pages: 3 });
  assert.equal((await api.get('/api/automations/told')).body.active, false);
});

test('an entity that references a deleted one cannot be restored before it', async () => {
  const owner = { name: 'author', type: 'relation', relation: { entity: 'author', kind: 'belongs_to' } };
  const { api } = await createRecordsTenant(app, [
    { name: 'author', fields: [title] },
    { name: 'work', fields: [title, owner] },
  ]);
  await api.delete('/api/entities/work');
  await api.delete('/api/entities/author');
  const restore = (entitySortKey: string, status = 200) =>
    api.post('/api/entity/restore', { entityType: 'entity', entitySortKey }, status);
  assert.equal((await restore('work', 422)).body.code, 'VALIDATION_ERROR');
  await restore('author');
  await restore('work');
});

test('an older definition is restored; values are removed only if drop names their fields', async () => {
  const { api, owner } = await createRecordsTenant(app, [{ name: 'book', fields: [title] }]);
  await api.patch('/api/entities/book', { fields: [title, pages], label: 'Books' });
  const { id } = (await owner.post('/api/book', { title: 'Seeds', pages: 12 })).body;
  const restore = (more: object, status = 200) =>
    api.post(
      '/api/entity/restore',
      { entityType: 'entity', entitySortKey: 'book', version: 1, ...more },
      status,
    );
  for (const dry_run of [true, false]) {
    const { body } = await restore({ dry_run }, 409);
    assert.equal(body.code, 'RESTORE_CONFLICT');
    assert.match(body.issues[0].message, /1/);
  }
  await restore({ fields: ['label'] });
  assert.equal((await api.get('/api/entities/book')).body.label, null);
  const drop = { changes: { drop: ['pages'] } };
  assert.deepEqual((await restore({ ...drop, dry_run: true })).body.changed_fields, ['fields']);
  assert.equal((await owner.get(`/api/book/${id}`)).body.pages, 12);
  await restore(drop);
  const { pages: lost, title: kept } = (await owner.get(`/api/book/${id}`)).body;
  assert.deepEqual([lost, kept], [undefined, 'Seeds']);
});

test('only owners restore definitions', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  await api.post('/api/entities', { name: 'book', fields: [title] });
  await api.delete('/api/entities/book');
  const unit = await createUnit(tenant, 'Garden');
  const admin = await createMember(tenant, [{ bu_id: unit, role: 'admin' }]);
  const body = { entityType: 'entity', entitySortKey: 'book' };
  await admin.api.post('/api/entity/restore', body, 403);
  await api.post('/api/entity/restore', body);
});

test('a dry run reports records that violate the definition, like the change', async () => {
  const { api, owner } = await createRecordsTenant(app, [
    { name: 'book', fields: [{ ...title, unique: true, pattern: '^[A-Z]' }, pages] },
  ]);
  const free = { ...pages, type: 'string' };
  await api.patch('/api/entities/book', { fields: [title, free] });
  const restore = (more: object, status = 200) =>
    api.post(
      '/api/entity/restore',
      { entityType: 'entity', entitySortKey: 'book', version: 1, ...more },
      status,
    );
  for (const values of [{ title: 'seeds' }, { title: 'seeds' }, { pages: 'many' }])
    await owner.post('/api/book', values);
  for (const dry_run of [true, false]) {
    assert.equal((await restore({ dry_run }, 422)).body.issues[0].field, 'pages');
    const { body } = await restore({ dry_run, changes: { fields: [{ ...title, unique: true }, free] } }, 422);
    assert.equal(body.issues[0].field, 'title');
    const changes = { fields: [{ ...title, pattern: '^[A-Z]' }, free] };
    assert.equal((await restore({ dry_run, changes }, 422)).body.issues[0].field, 'title');
  }
});
