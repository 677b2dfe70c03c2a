import assert from 'node:assert/strict';
import test from 'node:test';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { formBody } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;

function restore(entityType: string, entitySortKey: string, more: object, status = 200) {
  return api.post('/api/entity/restore', { entityType, entitySortKey, ...more }, status);
}

/** A form with the names One and Two: in version 1 it is active, in version 2 it is not. */
async function createForm() {
  const { code } = (await api.post('/api/forms', formBody({ name: 'One', active: true }))).body;
  const path = `/api/forms/${code}`;
  await api.patch(path, { name: 'Two', active: false, retention_days: 30 });
  return { code, path };
}

test('only the named fields are restored', async () => {
  const { code, path } = await createForm();
  const { body } = await restore('form', code, { version: 1, fields: ['name'] });
  assert.deepEqual([body.version, body.changed_fields, body.warnings], [3, ['name'], []]);
  const { name, active, retention_days } = (await api.get(path)).body;
  assert.deepEqual([name, active, retention_days], ['One', false, 30]);
});

test('a record stays inactive unless fields name active', async () => {
  const { code, path } = await createForm();
  await restore('form', code, { version: 1 });
  const { name, active, retention_days } = (await api.get(path)).body;
  assert.deepEqual([name, active, retention_days], ['One', false, null]);
  await restore('form', code, { version: 1, fields: ['active'] });
  assert.equal((await api.get(path)).body.active, true);
});

test('an older version of a deleted record is restored, with the last state', async () => {
  const { code, path } = await createForm();
  await api.delete(path);
  const { body } = await restore('form', code, { version: 1 });
  assert.deepEqual([body.version, body.changed_fields], [3, ['name', 'retention_days']]);
  assert.equal(body.warnings.length, 1);
  const { name, active } = (await api.get(path)).body;
  assert.deepEqual([name, active], ['One', false]);
  await api.delete(path);
  await restore('form', code, { version: 2, fields: ['name'] });
  const again = (await api.get(path)).body;
  assert.deepEqual([again.name, again.retention_days ?? null], ['Two', null]);
});

test('a dry run writes nothing and applies the rules of the write', async () => {
  const { id } = (await api.post('/api/template_snippets', { name: 'head', content: '<hr>' })).body;
  await api.patch(`/api/template_snippets/${id}`, { name: 'top' });
  const tried = await restore('email_template_snippet', id, { version: 1, dry_run: true });
  assert.deepEqual([tried.body.version, tried.body.changed_fields], [3, ['name']]);
  assert.equal((await api.get(`/api/template_snippets/${id}`)).body.version, 2);
  await api.post('/api/template_snippets', { name: 'head', content: '<br>' });
  for (const dry_run of [true, false]) {
    const { body } = await restore('email_template_snippet', id, { version: 1, dry_run }, 409);
    assert.equal(body.code, 'RESTORE_CONFLICT');
  }
  await restore('email_template_snippet', id, { version: 1, changes: { name: 'old head' } });
  assert.equal((await api.get(`/api/template_snippets/${id}`)).body.name, 'old head');
});

test('a record that no longer has the expected version stays unchanged', async () => {
  const { code, path } = await createForm();
  const { body } = await restore('form', code, { version: 1, expected_version: 1 }, 409);
  assert.equal(body.code, 'VERSION_CONFLICT');
  await restore('form', code, { version: 1, expected_version: 2 });
  await api.delete(path);
  await restore('form', code, { expected_version: 2 }, 409);
  await restore('form', code, { expected_version: 3 });
});

test('kinds that cannot be restored are rejected by name', async () => {
  const { code } = await createForm();
  assert.equal((await restore('form', code, { version: 9 }, 404)).body.code, 'NOT_FOUND');
  assert.equal((await restore('form', code, {}, 409)).body.code, 'NOT_DELETED');
  const unwritable = await restore('form', code, { version: 1, fields: ['name', 'public_code'] }, 400);
  assert.equal(unwritable.body.issues[0].field, 'fields[1]');
  const versioned = await restore('form', code, { version: 1, changes: { version: 1 } }, 400);
  assert.equal(versioned.body.issues[0].field, 'changes.version');
  const lonely = await restore('form', code, { fields: ['name'] }, 400);
  assert.equal(lonely.body.issues[0].field, 'version');
  const index = { name: 'herbs', contentsDescription: 'Herbs', metadataDefinition: [] };
  await api.post('/api/ai/indexes', index);
  const { body } = await restore('ai_vector_index', 'herbs', { version: 1 }, 422);
  assert.equal(body.issues[0].field, 'version');
});

test('references of an older version must exist', async () => {
  const theme = (await api.post('/api/form_themes', { name: 'Green', formBuilderThemeOptions: {} })).body
    .code;
  const { code } = (await api.post('/api/forms', formBody({ theme_code: theme }))).body;
  await api.patch(`/api/forms/${code}`, { theme_code: null });
  await api.delete(`/api/form_themes/${theme}`);
  const { body } = await restore('form', code, { version: 1 }, 422);
  assert.equal(body.issues[0].field, 'theme_code');
});

test('a secret stays while its header exists, and is required otherwise', async () => {
  const form = (await api.post('/api/forms', formBody())).body.code;
  const secret = { name: 'Authorization', value: 'one', is_secret: true };
  const target = { url: 'https://hooks.example/', headers: [secret] };
  const event = { event_type: 'form.submission', form_code: form };
  const { id } = (await api.post('/api/webhooks', { event, name: 'Hook', target })).body;
  const path = `/api/webhooks/${id}`;
  await api.patch(path, { name: 'Other' });
  await restore('webhook', id, { version: 1 });
  assert.equal((await api.get(path)).body.name, 'Hook');
  await api.patch(path, { target: { url: target.url, headers: [] } });
  const { body } = await restore('webhook', id, { version: 1 }, 422);
  assert.equal(body.issues[0].field, 'target.headers[0].value');
  await restore('webhook', id, { version: 1, changes: { target } });
});

test('free-form settings are restored completely, with numbers as written', async () => {
  await api.put('/api/pages/project_metadata/shop', { name: 'Shop', description: '' });
  const path = '/api/pages/shop/site-settings';
  await api.send('PUT', path, { rawBody: '{"zoom":1.50,"b":1,"a":2}' });
  await api.put(path, { zoom: 2, added: true });
  const { body } = await restore('pages_site_settings', 'shop#site_settings', { version: 1 });
  assert.deepEqual(body.changed_fields.toSorted(), ['a', 'added', 'b', 'zoom']);
  const { text } = await api.get(path);
  assert.match(text, /"zoom":1\.50/);
  assert.doesNotMatch(text, /added/);
});
