import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createForm, formBody, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const LIST = '/api/activity/list';

interface Item {
  readonly entity_type: string;
  readonly key: string;
  readonly title: string;
  readonly version: number;
  readonly action: string;
  readonly at: string;
  readonly changed_fields: readonly string[];
}

type Api = TestTenant['api'];

async function listOf(api: Api, body: object = {}): Promise<{ results: Item[]; next: string | null }> {
  return (await api.post(LIST, { limit: 100, ...body })).body;
}

async function changesOf(api: Api, filters: object = {}): Promise<string[]> {
  const { results } = await listOf(api, { filters });
  return results.map(({ action, title }) => `${action} ${title}`);
}

const formsOnly = { entity_type: { eq: 'form' } };

/** Creates a tenant with a theme that was created, renamed, deleted and restored. */
async function createHistory() {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const theme = { name: 'Green', formBuilderThemeOptions: {} };
  const { code } = (await api.post('/api/form_themes', theme)).body;
  await api.put(`/api/form_themes/${code}`, { ...theme, name: 'Blue' });
  await api.delete(`/api/form_themes/${code}`);
  await api.post('/api/entity/restore', {
    entityType: 'form_theme',
    entitySortKey: code,
    changes: { name: 'Red' },
  });
  return { tenant, api, code };
}

const themesOnly = { entity_type: { eq: 'form_theme' } };

test('changes are listed newest first, with their author and the fields that changed', async () => {
  const { api, code } = await createHistory();
  const { results, next } = await listOf(api, { filters: themesOnly });
  assert.deepEqual(
    results.map(({ action, title, version, changed_fields }) => [action, title, version, changed_fields]),
    [
      ['restored', 'Red', 3, ['name']],
      ['deleted', 'Blue', 2, []],
      ['updated', 'Blue', 2, ['name']],
      ['created', 'Green', 1, []],
    ],
  );
  assert.equal(next, null);
  const [{ actor, at, ...change } = assert.fail()] = (await api.post(LIST, { filters: themesOnly })).body
    .results;
  assert.deepEqual(
    [change.entity_type, change.key, actor.kind, actor.name],
    ['form_theme', code, 'member', 'Owner'],
  );
  assert.match(at, /^\d{4}-.*Z$/);
});

test('filters find changes by kind, action, member and time', async () => {
  const { tenant, api } = await createHistory();
  for (const action of ['created', 'updated', 'deleted', 'restored'])
    assert.deepEqual(
      (await changesOf(api, { ...themesOnly, action: { eq: action } })).map((change) => change.split(' ')[0]),
      [action],
    );
  assert.deepEqual(await changesOf(api, { ...themesOnly, action: { in: ['created', 'restored'] } }), [
    'restored Red',
    'created Green',
  ]);
  const unit = await createUnit(tenant, 'Garden');
  const gardener = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  await gardener.api.post('/api/forms', formBody({ name: 'Seeds', business_unit: unit }));
  const byGardener = { membership_id: { eq: gardener.membershipId } };
  assert.deepEqual(await changesOf(api, byGardener), ['created Seeds']);
  assert.deepEqual(await changesOf(api, { membership_id: { ne: gardener.membershipId }, ...formsOnly }), []);
  const [{ at } = assert.fail()] = (await listOf(api, { filters: byGardener })).results;
  assert.deepEqual(await changesOf(api, { ...byGardener, at: { lt: at } }), []);
  assert.deepEqual(await changesOf(api, { ...byGardener, at: { gte: at } }), ['created Seeds']);
  const { body } = await api.post(LIST, { filters: { owner: 'x' } }, 400);
  assert.equal(body.issues[0].field, 'filters.owner');
});

test('submissions are not listed, whoever stores or deletes them', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const code = await createForm(api, { name: 'Contact' });
  await submit(api, code);
  const { id } = (await api.post('/api/form_submissions/list', { page: 1, limit: 1, filters: {} })).body
    .results[0];
  await api.delete(`/api/form_submissions/${id}`);
  const { results } = await listOf(api);
  assert.ok(results.length > 0);
  assert.deepEqual(
    results.filter(({ entity_type }) => entity_type === 'form_submission'),
    [],
  );
});

test('a member sees changes in its units and of the tenant, another tenant none', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const [garden, kitchen] = [await createUnit(tenant, 'Garden'), await createUnit(tenant, 'Kitchen')];
  await api.post('/api/forms', formBody({ name: 'Seeds', business_unit: garden }));
  await api.post('/api/forms', formBody({ name: 'Pans', business_unit: kitchen }));
  await api.post('/api/entities', { name: 'plant', fields: [{ name: 'title', type: 'string' }] });
  const kinds = { entity_type: { in: ['form', 'entity'] } };
  const gardener = await createMember(tenant, [{ bu_id: garden, role: 'viewer' }]);
  assert.deepEqual(await changesOf(api, kinds), ['created plant', 'created Pans', 'created Seeds']);
  assert.deepEqual(await changesOf(gardener.api, kinds), ['created plant', 'created Seeds']);
  assert.deepEqual(await changesOf((await createMember(tenant, [])).api), []);
  assert.deepEqual(await changesOf((await app.createTenant()).api, kinds), []);
});

test('only owners see changes of memberships', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'Garden');
  const admin = await createMember(tenant, [{ bu_id: unit, role: 'admin' }]);
  const kinds = { entity_type: { in: ['tenant_membership', 'business_unit_grant'] } };
  assert.ok((await changesOf(tenant.api, kinds)).length > 0);
  assert.deepEqual(await changesOf(admin.api, kinds), []);
});

test('pages show each change once, also while records change', async () => {
  const { api } = await app.createTenant();
  const lists = Array.from({ length: 12 }, (_, index) => `List ${index}`);
  await Promise.all(lists.map((name) => api.post('/api/lists', { name })));
  const before = (await listOf(api)).results;
  const pages: Item[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listOf(api, { limit: 5, ...(after === undefined ? {} : { after }) });
    pages.push(...page.results);
    after = page.next;
    await api.post('/api/lists', { name: `Added after ${pages.length}` });
  }
  assert.deepEqual(pages, before);
});

test('changes of the same time are on one page or the next', async () => {
  const { api } = await app.createTenant();
  const list = (await api.post('/api/lists', { name: 'Readers' })).body.id;
  const emails = Array.from({ length: 9 }, (_, index) => `s${index}@example.com`);
  for (const email of emails)
    await api.post('/api/subscribers', { first_name: 'Ada', email, active: true, lists: [], audiences: [] });
  await api.post(`/api/lists/${list}/members`, { emails });
  const wanted = (await listOf(api)).results;
  assert.ok(wanted.filter(({ at }) => at === wanted[0]?.at).length >= emails.length);
  const pages: Item[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listOf(api, { limit: 2, ...(after === undefined ? {} : { after }) });
    pages.push(...page.results);
    after = page.next;
  }
  assert.deepEqual(pages, wanted);
});

test('a cursor of another list is refused by name', async () => {
  const { api } = await app.createTenant();
  for (const after of ['x', Buffer.from('["-created_at","2026-01-01T00:00:00Z"]').toString('base64url')]) {
    const { body } = await api.post(LIST, { after }, 400);
    assert.equal(body.issues[0].field, 'after');
  }
});

test('a change of a webhook does not name its attempts, which the platform has recorded since', async () => {
  const { api, tenantId } = await app.createTenant();
  const body = {
    name: 'Kitchen',
    event: { event_type: 'form.submission', form_code: await createForm(api) },
    target: { url: 'https://kitchen.example.com/' },
  };
  const { id } = (await api.post('/api/webhooks', body)).body;
  await app.app.platform.database
    .forTenant(tenantId)
    .updateTable('webhooks')
    .set({ last_attempt_at: new Date().toISOString(), last_attempt_status: 'failed' })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
  await api.patch(`/api/webhooks/${id}`, { name: 'Big kitchen' });
  const { results } = await listOf(api, { filters: { entity_type: { eq: 'webhook' } } });
  assert.deepEqual(
    results.map(({ changed_fields }) => changed_fields),
    [['name'], []],
  );
});
