import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { uploadBytes } from '../../../test/harness/asset-files.ts';
import { previewBulk as preview, runBulk as run } from '../../../test/harness/bulk-actions.ts';
import type { Client } from '../../../test/harness/client.ts';
import { createProject } from '../../../test/harness/documents.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { startReceiver } from '../../../test/harness/receiver.ts';
import { createForm, submit } from '../../../test/harness/sample-forms.ts';
import { createWebhook } from '../../../test/harness/submission-load.ts';
import { createSubscriber, getSubscriber } from '../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const SUBSCRIBERS = '/api/subscribers/bulk';
const ALL = { filters: {} };

async function createList({ api }: { readonly api: Client }): Promise<string> {
  return (await api.post('/api/lists', { name: 'Readers' })).body.id;
}

test('a dry run counts the records, says which will be skipped, and shows five', async () => {
  const tenant = await app.createTenant();
  for (let index = 1; index <= 6; index++)
    await createSubscriber(tenant, { email: `reader-${index}@example.com`, ...(index > 4 ? INACTIVE : {}) });
  const body = { action: 'set_active', active: true, ...ALL };
  const { count, skipped, sample, operation_id } = await preview(tenant.api, SUBSCRIBERS, body);
  assert.deepEqual([count, skipped], [6, [{ reason: 'UNCHANGED', count: 4 }]]);
  assert.deepEqual(
    sample.map(({ title }: { title: string }) => title),
    [6, 5, 4, 3, 2].map((index) => `reader-${index}@example.com`),
  );
  assert.equal(operation_id, undefined);
});

const INACTIVE = { active: false, inactive_reason: 'Asked by phone' };

test('an action changes the selected records part by part, with history, and reports them', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const list = await createList(tenant);
  const ids: string[] = [];
  for (let index = 0; index < 120; index++) ids.push((await createSubscriber(tenant)).id);
  await createSubscriber(tenant, { last_name: 'Hopper' });
  const body = { action: 'add_lists', lists: [list], filters: { last_name: { eq: 'Lovelace' } } };
  const { kind, title, status, done, total, counts, problems } = await run(api, SUBSCRIBERS, body);
  assert.deepEqual([kind, title, status], ['subscribers_bulk', 'add_lists', 'completed']);
  assert.deepEqual([done, total], [120, 120]);
  assert.deepEqual([counts, problems], [{ changed: 120, unchanged: 0, refused: 0 }, []]);
  assert.equal((await api.get(`/api/lists/${list}`)).body.subscribers_count ?? 120, 120);
  const first = await getSubscriber(tenant, ids[0] ?? '');
  assert.deepEqual([first.lists, first.version], [[list], 2]);
  assert.deepEqual((await run(api, SUBSCRIBERS, body)).counts, { changed: 0, unchanged: 120, refused: 0 });
});

test('records are selected by id and excluded by id', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const [one, two, three] = [
    await createSubscriber(tenant),
    await createSubscriber(tenant),
    await createSubscriber(tenant),
  ];
  const action = { action: 'set_active', ...INACTIVE };
  const named = { ...action, ids: [one.id, two.id, randomUUID(), 'none'] };
  assert.equal((await preview(api, SUBSCRIBERS, named)).count, 2);
  await run(api, SUBSCRIBERS, { ...action, ...ALL, exclude_ids: [two.id] });
  const states = await Promise.all(
    [one, two, three].map(async ({ id }) => (await getSubscriber(tenant, id)).active),
  );
  assert.deepEqual(states, [false, true, false]);
});

test('a changed number of records is refused with the new number, and nothing happens', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const { id } = await createSubscriber(tenant);
  const { body } = await api.post(
    SUBSCRIBERS,
    { action: 'set_active', ...INACTIVE, ...ALL, expected_count: 2 },
    409,
  );
  assert.deepEqual([body.code, body.issues[0].count], ['COUNT_CHANGED', 1]);
  assert.equal((await getSubscriber(tenant, id)).active, true);
});

test('a body needs what its action needs, a selection, and the number that is expected', async () => {
  const { api } = await app.createTenant();
  const faults = async (body: object) => {
    const { issues } = (await api.post(SUBSCRIBERS, body, 400)).body;
    return issues.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
  };
  assert.deepEqual(await faults({ action: 'add_lists', lists: [], dry_run: true }), [
    'filters is required without ids; {} selects all records',
  ]);
  assert.deepEqual(await faults({ action: 'erase', ...ALL }), [
    'expected_count is required unless dry_run is true',
  ]);
  assert.deepEqual(await faults({ action: 'add_lists', active: true, ...ALL, dry_run: true }), [
    'lists is required for add_lists',
    'active is not a member of add_lists',
  ]);
  assert.deepEqual(await faults({ action: 'set_active', active: false, ...ALL, dry_run: true }), [
    'inactive_reason is required when active is false',
  ]);
  assert.equal(
    (await faults({ action: 'add_lists', lists: [], filters: { x: { eq: 1 } }, dry_run: true })).length,
    1,
  );
});

test('records of units in which the caller may not write stay as they are', async () => {
  const tenant = await app.createTenant();
  const [garden, kitchen] = [await createUnit(tenant, 'Garden'), await createUnit(tenant, 'Kitchen')];
  const own = await createSubscriber(tenant, { business_unit: garden });
  const others = await createSubscriber(tenant, { business_unit: kitchen });
  const { api } = await createMember(tenant, [
    { bu_id: garden, role: 'editor' },
    { bu_id: kitchen, role: 'viewer' },
  ]);
  const body = { action: 'set_active', ...INACTIVE, ...ALL };
  const { count, skipped } = await preview(api, SUBSCRIBERS, body);
  assert.deepEqual([count, skipped], [2, [{ reason: 'FORBIDDEN', count: 1 }]]);
  const { counts, problems } = await run(api, SUBSCRIBERS, body);
  assert.deepEqual(counts, { changed: 1, unchanged: 0, refused: 1 });
  assert.deepEqual(
    problems.map(({ key }: { key: string }) => key),
    [others.id],
  );
  assert.equal((await getSubscriber(tenant, own.id)).active, false);
  assert.equal((await getSubscriber(tenant, others.id)).active, true);
});

test('a refused record does not keep the others from being changed', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const full = Array.from({ length: 100 }, (_value, index) => `tag-${index}`);
  const [one, two] = [await uploadBytes(api, 'one'), await uploadBytes(api, 'two')];
  await api.patch(`/api/assets/${one}`, { tags: full });
  const { counts, problems } = await run(api, '/api/assets/bulk', {
    action: 'tag',
    add_tags: ['new'],
    ...ALL,
  });
  assert.deepEqual(counts, { changed: 1, unchanged: 0, refused: 1 });
  assert.deepEqual([problems[0].key, /^tags /.test(problems[0].message)], [one, true]);
  assert.deepEqual((await api.get(`/api/assets/${two}`)).body.tags, ['new']);
  assert.equal((await api.get(`/api/assets/${one}`)).body.version, 2);
});

test('subscribers get fields and choices, leave lists, and are erased', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const list = await createList(tenant);
  const offers = { id: 'offers', name: 'Offers', description: 'Offers of the month', active: true };
  await api.patch('/api/email_settings', { subscription_types: [offers] });
  const data = { city: 'Berlin', size: 1 };
  const { id } = await createSubscriber(tenant, { lists: [list], additional_fields_data: data });
  await run(api, SUBSCRIBERS, { action: 'remove_lists', lists: [list], ...ALL });
  const changes = { additional_fields_data: { size: null, plan: 'gold' } };
  await run(api, SUBSCRIBERS, { action: 'set_fields', ...changes, ...ALL });
  const updates = [{ subscription_type_id: 'offers', subscribe: false }];
  await run(api, SUBSCRIBERS, { action: 'set_subscription', subscription_updates: updates, ...ALL });
  const { lists, additional_fields_data, subscription_preferences } = await getSubscriber(tenant, id);
  assert.deepEqual([lists, additional_fields_data], [[], { city: 'Berlin', plan: 'gold' }]);
  assert.equal(subscription_preferences[0].subscribed, false);
  await run(api, SUBSCRIBERS, { action: 'erase', ...ALL });
  await api.get(`/api/subscribers/${id}`, 404);
});

test('assets are moved and deleted by owners only', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const id = await uploadBytes(api, 'file');
  const path = '/api/assets/bulk';
  const move = { action: 'move', folder: '/logos', ...ALL };
  const { api: editor } = await createMember(tenant, [
    { bu_id: await createUnit(tenant, 'A'), role: 'admin' },
  ]);
  await editor.post(path, { ...move, dry_run: true }, 403);
  await run(api, path, move);
  assert.equal((await api.get(`/api/assets/${id}`)).body.folder, '/logos');
  await run(api, path, { action: 'delete', filters: { folder: { eq: '/logos' } } });
  await api.get(`/api/assets/${id}`, 404);
});

test('documents and redirects of one project are changed and deleted', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const [project, other] = [await createProject(api), await createProject(api)];
  for (const each of [project, other]) for (const id of ['one', 'two']) await each.putDocument(id);
  const { path } = project;
  const set = { action: 'set_status', status: 'live', search: 'one', ...ALL };
  assert.deepEqual((await run(api, `${path}/bulk`, set)).counts, { changed: 1, unchanged: 0, refused: 0 });
  const { skipped } = await preview(api, `${path}/bulk`, { ...set, search: undefined });
  assert.deepEqual(skipped, [{ reason: 'UNCHANGED', count: 1 }]);
  await run(api, `${path}/bulk`, { action: 'delete', ids: ['two'] });
  assert.equal((await project.list()).body.total, 1);
  assert.equal((await other.list()).body.total, 2);
  await api.post('/api/pages/none/document/bulk', { action: 'delete', ...ALL, dry_run: true }, 404);
});

test('redirects are switched off and deleted, and no longer apply', async () => {
  const { api } = await app.createTenant();
  const id = `site-${randomUUID()}`;
  const source_domain = 'www.acme.example';
  await api.put(`/api/pages/project_metadata/${id}`, {
    ...{ name: 'Site', description: 'A site', redirect_config: { source_domains: [source_domain] } },
  });
  const path = `/api/pages/${id}/redirects`;
  const rule = { source_domain, redirect_type: '301', is_active: true, target_url: '/new' };
  for (const source_url_path of ['/a', '/b']) await api.post(path, { ...rule, source_url_path });
  const applies = async () =>
    (await api.post(`${path}/check`, { source_domain, source_url_path: '/a' })).body.redirect;
  assert.equal(await applies(), true);
  await run(api, `${path}/bulk`, { action: 'set_active', is_active: false, ...ALL });
  assert.equal(await applies(), false);
  const { counts } = await run(api, `${path}/bulk`, {
    action: 'delete',
    filters: { is_active: { eq: false } },
  });
  assert.equal(counts.changed, 2);
});

test('suppressions are removed by admins of Default', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  for (const type of ['bounce', 'unsubscribe'])
    await api.post('/api/email_settings/suppressions', { recipient: `${type}@example.com`, type });
  const path = '/api/email_settings/suppressions/bulk';
  const body = { action: 'delete', filters: { type: { eq: 'unsubscribe' } } };
  const { api: admin } = await createMember(tenant, [
    { bu_id: await createUnit(tenant, 'A'), role: 'admin' },
  ]);
  await admin.post(path, { ...body, dry_run: true }, 403);
  assert.equal((await run(api, path, body)).counts.changed, 1);
  const { body: left } = await api.get('/api/email_settings/suppressions/list');
  assert.deepEqual(
    left.results.map(({ recipient }: { recipient: string }) => recipient),
    ['bounce@example.com'],
  );
});

test('submissions are delivered again to active webhooks, and deleted', async () => {
  const { api } = await app.createTenant();
  const form = await createForm(api);
  const receiver = await startReceiver();
  await createWebhook(api, form, receiver.url);
  for (const _each of [1, 2]) await submit(api, form);
  await eventually('the first deliveries', () => receiver.received.length === 2);
  const path = '/api/form_submissions/bulk';
  assert.equal((await run(api, path, { action: 'redeliver', ...ALL })).counts.changed, 2);
  await eventually('the second deliveries', () => receiver.received.length === 4);
  await run(api, path, { action: 'delete', filters: { form_code: { eq: form } } });
  assert.equal((await api.post('/api/form_submissions/list', { page: 1, limit: 1, ...ALL })).body.total, 0);
});

test('another tenant is neither counted nor changed', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const { id } = await createSubscriber(other);
  assert.equal((await preview(tenant.api, SUBSCRIBERS, { action: 'erase', ids: [id] })).count, 0);
  assert.equal((await preview(tenant.api, SUBSCRIBERS, { action: 'erase', ...ALL })).count, 0);
});
