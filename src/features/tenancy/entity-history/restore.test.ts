import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { formBody } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;

function restore(client: Client, entityType: string, entitySortKey: string, status = 200, changes?: object) {
  const body = { entityType, entitySortKey, ...(changes && { changes }) };
  return client.post('/api/entity/restore', body, status);
}

const snippet = (name: string) => ({ name, content: '<hr>' });

test('a name used since is a conflict until another one is given', async () => {
  const { id } = (await api.post('/api/template_snippets', snippet('footer'))).body;
  await api.delete(`/api/template_snippets/${id}`);
  await api.post('/api/template_snippets', snippet('footer'));
  const { body } = await restore(api, 'email_template_snippet', id, 409);
  assert.equal(body.code, 'RESTORE_CONFLICT');
  await restore(api, 'email_template_snippet', id, 200, { name: 'old footer' });
  const restored = (await api.get(`/api/template_snippets/${id}`)).body;
  assert.deepEqual([restored.name, restored.content, restored.version], ['old footer', '<hr>', 2]);
});

test('a record that uses the key since is not deleted', async () => {
  const index = { name: 'herbs', contentsDescription: 'Herbs', metadataDefinition: [] };
  await api.post('/api/ai/indexes', index);
  await api.delete('/api/ai/indexes/herbs');
  await api.post('/api/ai/indexes', index);
  assert.equal((await restore(api, 'ai_vector_index', 'herbs', 409)).body.code, 'NOT_DELETED');
});

test('references of a record must exist, or be changed', async () => {
  const theme = (await api.post('/api/form_themes', { name: 'Green', formBuilderThemeOptions: {} })).body
    .code;
  const { code } = (await api.post('/api/forms', formBody({ theme_code: theme }))).body;
  await api.delete(`/api/forms/${code}`);
  await api.delete(`/api/form_themes/${theme}`);
  const { body } = await restore(api, 'form', code, 422);
  assert.equal(body.code, 'VALIDATION_ERROR');
  assert.equal(body.issues[0].field, 'theme_code');
  await restore(api, 'form', code, 200, { theme_code: null });
  assert.equal((await api.get(`/api/forms/${code}`)).body.theme_code, null);
  await restore(api, 'form_theme', theme);
});

test('a parent must be restored first', async () => {
  const campaign = {
    code: 'SPRING',
    name: 'Seeds',
    colour: '#0f766e',
    start_date: '2026-03-01',
    audience: 'All',
  };
  await api.post('/api/campaigns', campaign);
  const { id } = (await api.post('/api/campaigns/SPRING/emails', { name: 'One', subject: 'One' })).body;
  await api.delete('/api/campaigns/SPRING');
  const { body } = await restore(api, 'marketing_email', id, 422);
  assert.match(body.message, /no longer exists/);
  const { body: answer } = await restore(api, 'marketing_campaign', 'SPRING');
  assert.equal(answer.warnings.length, 1);
  await restore(api, 'marketing_email', id);
  assert.equal((await api.get(`/api/campaigns/SPRING/emails/${id}`)).body.status, 'Draft');
});

test('a template is restored with its versions, and continues their numbers', async () => {
  const template = { name: 'Hello', from_email: `shop@${tenant.domain}`, transactional: false };
  const { id } = (await api.post('/api/templates', template)).body;
  const versions = `/api/templates/${id}/versions`;
  const version = { active: true, subject: 'Hi', html_content: '<p>Hi</p>' };
  await api.post(versions, version);
  await api.post(versions, { ...version, subject: 'Hi again' });
  const before = (await api.get(versions)).body;
  await api.delete(`/api/templates/${id}`);
  await api.get(versions, 404);
  await restore(api, 'email_template', id);
  assert.deepEqual((await api.get(versions)).body, before);
  assert.equal((await api.post(versions, version)).body.version, 3);
});

test('secrets are not kept, must be given again, and are sent then', async () => {
  const receiver = await startReceiver();
  const form = (await api.post('/api/forms', formBody())).body.code;
  const targetWith = (value: string) => ({
    url: receiver.url,
    headers: [{ name: 'Authorization', value, is_secret: true }],
  });
  const target = targetWith('one');
  const event = { event_type: 'form.submission', form_code: form };
  const { id } = (await api.post('/api/webhooks', { event, name: 'Hook', target })).body;
  await api.delete(`/api/webhooks/${id}`);
  const { body } = await restore(api, 'webhook', id, 422);
  assert.equal(body.issues[0].field, 'target.headers[0].value');
  await restore(api, 'webhook', id, 200, { target: targetWith('two'), signing_secret: 'sixteen characters' });
  const { headers } = (await api.get(`/api/webhooks/${id}`)).body.target;
  assert.deepEqual(headers, [{ name: 'Authorization', is_secret: true }]);
  assert.equal((await api.post(`/api/webhooks/${id}/test`, undefined)).body.success, true);
  const [sent] = receiver.received;
  assert.equal(sent?.headers.authorization, 'two');
  assert.ok(sent?.headers['webhook-signature']);
});

test('changes name writable members', async () => {
  const { code } = (await api.post('/api/forms', formBody())).body;
  const { public_code: publicCode } = (await api.get(`/api/forms/${code}`)).body;
  await api.delete(`/api/forms/${code}`);
  for (const name of ['public_code', 'naem', 'owner_bu_id']) {
    const { body } = await restore(api, 'form', code, 400, { [name]: 'x' });
    assert.equal(body.issues[0].field, `changes.${name}`);
  }
  assert.equal((await restore(api, 'form', code, 422, { name: '' })).body.issues[0].field, 'name');
  await restore(api, 'form', code);
  assert.equal((await api.get(`/api/forms/${code}`)).body.public_code, publicCode);
});

test('an erased subscriber is never restored', async () => {
  const subscriber = { first_name: 'Eve', email: 'eve@example.com', active: true, lists: [], audiences: [] };
  const { id } = (await api.post('/api/subscribers', subscriber)).body;
  await api.delete(`/api/subscribers/${id}`);
  assert.equal((await restore(api, 'marketing_subscriber', id, 422)).body.issues[0].field, 'entityType');
});
