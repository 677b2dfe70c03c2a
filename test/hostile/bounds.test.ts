/** Data up to its bound is accepted, beyond it rejected; pages of many bytes are complete. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { createCampaign, emailBody, emailsOf } from '../harness/campaigns.ts';
import { createMailTenant } from '../harness/mail.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const app = await startOwnApp();
const { platform } = app.app;
const { query } = platform.database.everyTenant('tests');
const tenant = await createMailTenant(app);
const { api, tenantId } = tenant;

/** Returns a response's text; a streamed response has no Content-Length. */
async function read(path: string, body?: object) {
  const headers = { ...api.headers, ...(body ? { 'content-type': 'application/json' } : {}) };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const answer = await fetch(`${app.url}${path}`, { headers, ...init });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text.slice(0, 300)}`);
  return { text, isStreamed: answer.headers.get('content-length') === null };
}

test('hundreds of API keys are listed completely, in chunks', async () => {
  await sql`insert into api_keys select (json_populate_record(k, json_build_object('id', gen_random_uuid(),
      'digest', '\\x' || replace(gen_random_uuid()::text, '-', '')))).*
    from api_keys k, generate_series(1, 2000)
    where k.id = (select id from api_keys where tenant_id = ${tenantId} limit 1)`.execute(query);
  const { text, isStreamed } = await read('/api/client/v1/api-keys');
  assert.ok(isStreamed);
  assert.ok(JSON.parse(text).results.length > 2000);
});

test('a tenant has at most a thousand sending domains', async () => {
  await sql`insert into sending_domains select (json_populate_record(d, json_build_object('id', gen_random_uuid(), 'domain', 'd' || n || '.example'))).*
    from sending_domains d,
      generate_series((select count(*) from sending_domains where tenant_id = ${tenantId}) + 1, 999) n
    where d.tenant_id = ${tenantId} and d.domain = ${tenant.domain}`.execute(query);
  await api.post('/api/email_settings/sending_domains', { domain: 'last.example' });
  await api.post('/api/email_settings/sending_domains', { domain: 'beyond.example' }, 422);
  assert.equal(JSON.parse((await read('/api/email_settings/sending_domains')).text).length, 1000);
});

test('hundreds of emails of a campaign are listed completely', async () => {
  const path = emailsOf(await createCampaign(tenant));
  const long = { name: 'x'.repeat(500), description: 'x'.repeat(2000), subject: 'x'.repeat(2000) };
  await api.post(path, emailBody(tenant, long));
  await sql`insert into marketing_emails select (json_populate_record(e, json_build_object('id', gen_random_uuid()))).*
    from marketing_emails e, generate_series(1, 3000) where e.tenant_id = ${tenantId}`.execute(query);
  const { text, isStreamed } = await read(path);
  assert.ok(isStreamed);
  assert.equal(JSON.parse(text).results.length, 3001);
});

test('a record with too many versions for one response is rejected as such, and each version is readable', async () => {
  const { id } = (await api.post('/api/lists', { name: 'Often' })).body;
  await sql`insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id,
      recorded_at, data, actor)
    select h.tenant_id, h.entity_type, h.sort_key, n, h.deleted, h.owner_bu_id, h.recorded_at, h.data, h.actor
    from record_history h, generate_series(2, 70000) n where h.tenant_id = ${tenantId} and h.sort_key = ${id}`.execute(
    query,
  );
  const record = `entityType=marketing_list&entitySortKey=${id}`;
  await api.get(`/api/entity/versions?${record}`, 422);
  await api.get(`/api/entity/versions/70000?${record}`);
});

test('a form with a theme of hundreds of kilobytes has a page', async () => {
  const theme = { themeName: 'x'.repeat(700_000) };
  const { code } = (await api.post('/api/form_themes', { name: 'Large', formBuilderThemeOptions: theme }))
    .body;
  const form = await createForm(api, { theme_code: code });
  const { public_code } = (await api.get(`/api/forms/${form}`)).body;
  const page = await fetch(`${app.url}/embed/${public_code}`);
  assert.equal(page.status, 200);
  assert.ok((await page.text()).length > 1000);
});

test('texts of a megabyte found by an index query are complete, in chunks, by score', async () => {
  const name = `index-${randomUUID()}`;
  await api.post('/api/ai/indexes', {
    name,
    contentsDescription: '',
    metadataDefinition: [{ fieldName: 'n', fieldType: 'string' }],
  });
  const data = [{ id: 'one', input: 'x '.repeat(500_000), metadata: { n: 'y'.repeat(90_000) } }];
  await api.post(`/api/ai/indexes/${name}/upsert`, { data });
  await sql`insert into ai_index_items select (json_populate_record(i, json_build_object('id', 'copy-' || n))).*
    from ai_index_items i, generate_series(1, 60) n where i.tenant_id = ${tenantId} and i.id = 'one'`.execute(
    query,
  );
  const { text, isStreamed } = await read(`/api/ai/indexes/${name}/query`, { input: 'x', top_k: 50 });
  const { results } = JSON.parse(text);
  assert.ok(isStreamed && text.length > 50_000_000);
  assert.equal(results.length, 50);
  assert.equal(new Set(results.map(({ id }: { id: string }) => id)).size, 50);
  const long = [{ ...data[0], metadata: { n: 'y'.repeat(100_000) } }];
  await api.post(`/api/ai/indexes/${name}/upsert`, { data: long }, 400);
});

test('a thread with megabytes of tool data is returned completely, in chunks', async () => {
  const llmConfiguration = { system: '', temperature: 0, model: 'm', max_tokens: 10 };
  const assistant_id = (
    await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration })
  ).body.id;
  const message = {
    role: 'user',
    content: [{ type: 'text', text: 'Hi' }],
    metadata: { large: 'x'.repeat(4_000_000) },
  };
  const thread = { version: 0, created_at: new Date().toISOString(), assistant_id, user_id: 'u' };
  const { id } = (await api.post('/api/ai/threads', { ...thread, messages: [message, message] })).body;
  for (let version = 0; version < 3; version += 1)
    await api.put(`/api/ai/threads/${id}`, { version, messages: [message, message] });
  const { text, isStreamed } = await read(`/api/ai/threads/${id}`);
  assert.ok(isStreamed);
  assert.equal(JSON.parse(text).messages.length, 8);
});

test('the trigger parameters of an automation have a limit, because all are read together', async () => {
  const automation = { key: 'long', app: 'a', name: 'n', triggerType: 'mqHandler', actions: [] };
  const triggerParams = { queueName: 'q', more: 'x'.repeat(10_000) };
  await api.post('/api/automations', { ...automation, triggerParams }, 400);
});

test('inputs of a run that repeat a large value are limited in total', async () => {
  const params = { message: '{{trigger.large}}' };
  const actions = Array.from({ length: 20 }, (_, n) => ({
    key: `a${n}`,
    name: 'a',
    actionTypeKey: 'log',
    params: { message: { kept: 1, ...params } },
  }));
  const automation = { key: 'many', app: 'a', name: 'n', triggerType: 'webhook', triggerParams: {}, actions };
  await api.post('/api/automations', automation);
  const trigger = { large: 'x'.repeat(250_000) };
  const { text } = await read('/api/automations/many/test', { trigger });
  assert.ok(text.length < 12_000_000);
  assert.ok(JSON.parse(text).actions.length > 0);
});
