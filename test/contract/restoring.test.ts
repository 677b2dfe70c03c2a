/** Restoring of every kind of record: a restored record equals the deleted one, and the rules of creating apply. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { features } from '../../src/features/index.ts';
import { NOT_RESTORED, restorersOf } from '../../src/features/tenancy/entity-history/index.ts';
import { ENTITY_TYPES } from '../../src/resources/entity-types.ts';
import type { Client } from '../harness/client.ts';
import { createMailTenant } from '../harness/mail.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { formBody } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';
import { calledFeatures } from './world.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;
const unit = await createUnit(tenant, 'Garden');
const elsewhere = await createUnit(tenant, 'Elsewhere');
const viewer = await createMember(tenant, [
  { bu_id: unit, role: 'viewer' },
  { bu_id: elsewhere, role: 'editor' },
]);
const editor = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
const stranger = await createMember(tenant, [{ bu_id: elsewhere, role: 'admin' }]);
const foreigner = await app.createTenant();
const unitOwned = { business_unit: unit };

/** Kinds that belong to the tenant and only its owners can write. */
const OF_TENANT = ['entity', 'automation'];
/** True if records are never deleted, so only older versions are restored. */
const LASTING = ['email_settings'];

interface Made {
  readonly key: string;
  /** Path to read the record. */
  readonly path: string;
  /** Path to delete the record, if it differs. */
  readonly deletion?: string;
  /** Path to change the record, if it differs from the path to delete it. */
  readonly change?: string;
  /** Creates what the restored record needs and what was deleted with it. */
  readonly needed?: { readonly entityType: string; readonly key: string };
}

/** Creates a record at a path that returns its key. */
async function post(path: string, body: object, key = 'id'): Promise<Made> {
  const answer = await api.post(path, body);
  return { key: answer.body[key], path: `${path}/${answer.body[key]}` };
}

async function makeProject(): Promise<string> {
  const id = `site-${randomUUID()}`;
  const body = { name: 'Site', description: '', business_unit_id: unit };
  const config = { redirect_config: { source_domains: ['site.example'] } };
  await api.put(`/api/pages/project_metadata/${id}`, { ...body, ...config });
  return id;
}

async function putInProject(kind: string, body: { id: string }): Promise<Made> {
  const project = await makeProject();
  await api.put(`/api/pages/${project}/${kind}`, body);
  const change = `/api/pages/${project}/${kind}`;
  return { key: `${project}#${body.id}`, path: `${change}/${body.id}`, change };
}

const makeForm = () => post('/api/forms', formBody({ ...unitOwned, active: true }), 'code');
const makeAssistant = () =>
  post('/api/ai/assistants', {
    ...unitOwned,
    name: 'Helper',
    description: 'Answers.',
    llmConfiguration: { system: 'Answer.', temperature: 0.5, model: 'any', max_tokens: 100 },
  });
const makeCampaign = () =>
  post(
    '/api/campaigns',
    {
      ...{ ...unitOwned, name: 'Seeds', colour: '#0f766e', start_date: '2026-03-01', audience: 'Gardeners' },
      code: `C-${randomUUID().toUpperCase()}`,
    },
    'code',
  );
const model = { label: 'Page', format: 'page', repeatable: true, status: true, json: { Main: {} } };

/** Creates a record of each kind. */
const RECORDS: Readonly<Record<string, () => Promise<Made>>> = {
  ai_assistant: makeAssistant,
  ai_thread: async () =>
    post('/api/ai/threads', {
      version: 3,
      created_at: '2026-01-01T00:00:00.000Z',
      assistant_id: (await makeAssistant()).key,
      user_id: 'someone',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Good morning' }] }],
    }),
  ai_vector_index: () =>
    post(
      '/api/ai/indexes',
      { ...unitOwned, name: `i-${randomUUID()}`, contentsDescription: 'Herbs', metadataDefinition: [] },
      'name',
    ),
  email_template: async () => {
    const created = await post('/api/templates', {
      ...{ ...unitOwned, name: 'Hello', from_email: `shop@${tenant.domain}`, transactional: false },
    });
    await api.post(`${created.path}/versions`, { active: true, subject: 'Hi', html_content: '<p>Hi</p>' });
    return created;
  },
  email_template_snippet: () =>
    post('/api/template_snippets', { ...unitOwned, name: `s-${randomUUID()}`, content: '<hr>' }),
  form: makeForm,
  form_theme: () =>
    post(
      '/api/form_themes',
      { ...unitOwned, name: 'Green', formBuilderThemeOptions: { b: 1.0, a: 2 } },
      'code',
    ),
  marketing_audience: () => post('/api/audiences', { ...unitOwned, name: 'Friends', description: 'Old' }),
  marketing_list: () => post('/api/lists', { ...unitOwned, name: 'Friends', description: 'Old' }),
  marketing_campaign: makeCampaign,
  marketing_email: async () =>
    post(`${(await makeCampaign()).path}/emails`, { name: 'First', subject: 'Seeds', status: 'Ready' }),
  pages_document_model: () => putInProject('document-model', { ...model, id: 'page' }),
  pages_slice_model: () =>
    putInProject('slice-model', Object.assign({ id: 'hero' }, { name: 'Hero', variations: [{ id: 'a' }] })),
  pages_document: async () => {
    const project = await makeProject();
    await api.put(`/api/pages/${project}/document-model`, { ...model, id: 'page' });
    const body = { document_model_id: 'page', uid: 'about', name: 'About', status: 'live', data: '{"a":1}' };
    await api.put(`/api/pages/${project}/document/about`, body);
    const path = `/api/pages/${project}/document`;
    return { key: `${project}#about`, path: `${path}?id=about`, deletion: `${path}/about` };
  },
  pages_project_metadata: async () => {
    const key = await makeProject();
    return { key, path: `/api/pages/project_metadata/${key}` };
  },
  pages_site_settings: async () => {
    const project = await makeProject();
    const path = `/api/pages/${project}/site-settings`;
    await api.put(path, { site_name: 'Garden', own: { b: 1.5, a: 2 } });
    const needed = { entityType: 'pages_project_metadata', key: project };
    return {
      key: `${project}#site_settings`,
      path,
      change: path,
      deletion: `/api/pages/project_metadata/${project}`,
      needed,
    };
  },
  pages_url_redirect: async () => {
    const project = await makeProject();
    const path = `/api/pages/${project}/redirects`;
    const body = { source_domain: 'site.example', source_url_path: '/old', target_url: '/new' };
    const created = await post(path, { ...body, redirect_type: '301' });
    return { ...created, key: `${project}#${created.key}` };
  },
  user_journey: () =>
    post('/api/journeys', {
      ...{ ...unitOwned, name: 'Welcome', active: true, trigger: { type: 'manual' }, re_entry: 'after_exit' },
      steps: [{ key: 'wait', type: 'wait', seconds: 86_400 }],
    }),
  entity: async () => {
    const name = `e_${randomUUID().replaceAll('-', '_')}`;
    return post(
      '/api/entities',
      { name, label: 'Seeds', fields: [{ name: 'title', type: 'string' }] },
      'name',
    );
  },
  automation: async () =>
    post(
      '/api/automations',
      {
        ...{ app: 'garden', name: 'Note', triggerType: 'webhook', triggerParams: {}, active: false },
        key: `a_${randomUUID().replaceAll('-', '_')}`,
        actions: [{ key: 'note', name: 'Note', actionTypeKey: 'log', params: { message: 'Done' } }],
      },
      'key',
    ),
  email_settings: async () => {
    const { body } = await api.get('/api/email_settings');
    const type = { id: 'news', name: 'News', description: 'Weekly', active: true };
    await api.put('/api/email_settings', { ...body, subscription_types: [type] });
    return { key: 'email_settings', path: '/api/email_settings' };
  },
  webhook: async () =>
    post('/api/webhooks', {
      event: { event_type: 'form.submission', form_code: (await makeForm()).key },
      name: 'Hook',
      target: { url: 'https://hooks.example/', headers: [{ name: 'X-Plain', value: '1', is_secret: false }] },
    }),
};

/** A change for each kind whose older versions can be restored: the body of a PATCH. */
const CHANGES: Readonly<Record<string, object>> = {
  ai_assistant: { name: 'Another', description: 'Asks.' },
  automation: { name: 'Another', actions: [] },
  email_settings: { subscription_types: [] },
  email_template: { name: 'Another' },
  email_template_snippet: { content: '<br>' },
  entity: {
    label: 'Another',
    fields: [
      { name: 'title', type: 'string' },
      { name: 'more', type: 'text' },
    ],
  },
  form: { name: 'Another' },
  form_theme: { name: 'Another', formBuilderThemeOptions: { a: 3 } },
  marketing_audience: { name: 'Another', description: null },
  marketing_list: { name: 'Another', description: null },
  marketing_campaign: { name: 'Another' },
  marketing_email: { name: 'Another', subject: 'Weeds' },
  pages_document_model: { id: 'page', label: 'Another' },
  pages_slice_model: { id: 'hero', name: 'Another' },
  pages_document: { name: 'Another', data: '{"a":2}' },
  pages_project_metadata: { name: 'Another' },
  pages_site_settings: { site_name: 'Another', added: true },
  pages_url_redirect: { target_url: '/newer' },
  user_journey: { name: 'Another' },
  webhook: { name: 'Another' },
};

const restorers = features.flatMap((feature) => restorersOf(feature));
const kindsOf = (some: typeof restorers) => some.map(({ entityType }) => entityType);
const restorable = kindsOf(restorers).filter((kind) => !LASTING.includes(kind));
const versioned = kindsOf(restorers.filter(({ update }) => update));
const called = kindsOf(calledFeatures.flatMap((feature) => restorersOf(feature)));
const isCalled = (kind: string) => called.some((each) => each === kind);

const restore = (client: Client, entityType: string, entitySortKey: string, more: object = {}) =>
  client.send('POST', '/api/entity/restore', { body: { entityType, entitySortKey, ...more } });

async function deletedKeys(entityType: string): Promise<string[]> {
  const { body } = await api.get(`/api/entity/deleted-records?entityType=${entityType}`);
  return body.filter(({ pk }: { pk: string }) => pk.endsWith('#DELETED')).map(({ sk }: { sk: string }) => sk);
}

async function lastVersion(entityType: string, key: string) {
  const query = `entityType=${entityType}&entitySortKey=${encodeURIComponent(key)}`;
  return (await api.get(`/api/entity/versions?${query}`)).body.at(-1);
}

/** Returns a record without the members that every write changes, and without those that name a restored hook. */
function contentOf({
  version: _version,
  updated_at: _updated,
  updated_by_id: _by,
  webhook_url: _address,
  ...content
}: Record<string, unknown>) {
  return content;
}

test('each kind of history is restorable or has a reason why not', () => {
  const never = Object.keys(NOT_RESTORED);
  assert.deepEqual([...restorable, ...LASTING, ...never].sort(), [...ENTITY_TYPES].sort());
  assert.deepEqual(Object.keys(RECORDS).sort(), [...restorable, ...LASTING].sort());
  assert.deepEqual(Object.keys(CHANGES).sort(), [...versioned].sort());
});

for (const entityType of restorable.filter(isCalled))
  test(`a deleted ${entityType} is restored unchanged, once, by those who may write it`, async () => {
    const { key, path, deletion = path, needed } = (await RECORDS[entityType]?.()) ?? { key: '', path: '' };
    const before = await api.get(path);
    assert.equal((await restore(api, entityType, key)).body.code, 'NOT_DELETED');
    const last = await lastVersion(entityType, key);
    await api.delete(deletion);
    assert.ok((await deletedKeys(entityType)).includes(key));

    const isOfTenant = OF_TENANT.includes(entityType);
    assert.equal((await restore(stranger.api, entityType, key)).status, isOfTenant ? 403 : 404);
    assert.equal((await restore(foreigner.api, entityType, key)).status, 404);
    assert.equal((await restore(viewer.api, entityType, key)).status, 403);
    const { body: tried } = await restore(api, entityType, key, { dry_run: true });
    if (!needed) assert.equal(tried.version, last.version + 1);
    await api.send('GET', path).then(({ status }) => assert.equal(status, 404));
    if (needed) {
      const refusal = await restore(api, entityType, key);
      assert.equal(refusal.status, 422, refusal.text);
      assert.equal((await restore(api, needed.entityType, needed.key)).status, 200);
    }
    const two = isOfTenant ? [api, api] : [editor.api, api];
    const answers = await Promise.all(two.map((client) => restore(client, entityType, key)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [200, 409],
      answers.map(({ text }) => text).join(),
    );

    const after = await api.get(path);
    assert.deepEqual(contentOf(after.body), contentOf(before.body));
    const version = await lastVersion(entityType, key);
    assert.equal(version.version, last.version + 1);
    assert.equal(version.actor.kind, 'member');
    assert.ok(!(await deletedKeys(entityType)).includes(key));
    assert.equal((await restore(api, entityType, key)).status, 409);
    // A restored record can be deleted and restored again.
    await api.delete(deletion);
    if (needed) assert.equal((await restore(api, needed.entityType, needed.key)).status, 200);
    const again = await restore(api, entityType, key);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.version, last.version + 2);
  });

for (const entityType of versioned.filter(isCalled))
  test(`an older version of a ${entityType} is restored by those who may write it`, async () => {
    const {
      key,
      path,
      deletion = path,
      change = deletion,
    } = (await RECORDS[entityType]?.()) ?? { key: '', path: '' };
    const before = await api.get(path);
    const first = await lastVersion(entityType, key);
    await api.send('PATCH', change, { body: CHANGES[entityType] });
    const changed = await api.get(path);
    const second = await lastVersion(entityType, key);
    assert.equal(second.version, first.version + 1);

    const older = { version: first.version };
    const refused = await restore(viewer.api, entityType, key, older);
    assert.equal(refused.status, 403);
    assert.equal((await restore(foreigner.api, entityType, key, older)).status, 404);
    const names = Object.keys(CHANGES[entityType] ?? {}).filter((name) => name !== 'id');
    const drop = entityType === 'entity' ? { changes: { drop: ['more'] } } : {};
    const dry = await restore(api, entityType, key, { ...older, ...drop, dry_run: true });
    assert.deepEqual([dry.status, dry.body.changed_fields?.toSorted()], [200, names.sort()], dry.text);
    assert.equal(dry.body.version, second.version + 1);
    assert.deepEqual((await api.get(path)).body, changed.body);

    const answer = await restore(api, entityType, key, { ...older, ...drop });
    assert.deepEqual(answer.body, dry.body);
    assert.deepEqual(contentOf((await api.get(path)).body), contentOf(before.body));
    assert.equal((await lastVersion(entityType, key)).version, second.version + 1);
    const again = await restore(api, entityType, key, older);
    assert.deepEqual([again.body.version, again.body.changed_fields], [second.version + 1, []], again.text);
  });

for (const [entityType, reason] of Object.entries(NOT_RESTORED))
  test(`a ${entityType} cannot be restored, and the response says why`, async () => {
    const refusal = await restore(api, entityType, randomUUID());
    assert.equal(refusal.status, 422, refusal.text);
    assert.ok(refusal.body.issues[0].message.endsWith(reason));
  });
