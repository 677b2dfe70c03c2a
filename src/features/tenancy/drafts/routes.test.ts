import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createForm } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const PATH = '/api/client/v1/drafts';
const DRAFT = { base_version: 1, data: { name: 'Half a na' } };

const keep = (api: Client, key: string, more: object = {}, status = 200) =>
  api.put(`${PATH}/form/${key}`, { ...DRAFT, ...more }, status);

async function namesSeenBy(api: Client, query = 'entity_type=form'): Promise<string[]> {
  const { body } = await api.get(`${PATH}?${query}`);
  return body.results.map(
    ({ author, key }: { author: { name: string }; key: string }) => `${author.name} ${key}`,
  );
}

/** Creates a tenant with two units, a form of the first, and members. */
async function createTeam() {
  const tenant = await app.createTenant();
  const [garden, kitchen] = [await createUnit(tenant, 'Garden'), await createUnit(tenant, 'Kitchen')];
  const form = await createForm(tenant.api, { name: 'Seeds', business_unit: garden });
  const join = (name: string, unit: string, role: 'editor' | 'viewer') =>
    createMember(tenant, [{ bu_id: unit, role }], { name });
  const editor = await join('Ada', garden, 'editor');
  const viewer = await join('Bob', garden, 'viewer');
  const cook = await join('Cleo', kitchen, 'editor');
  return { tenant, owner: tenant.api, form, editor, viewer, cook };
}

test('a draft is kept, replaced, read and deleted by its author', async () => {
  const { editor, form } = await createTeam();
  const { saved_at } = (await keep(editor.api, form)).body;
  await keep(editor.api, form, { data: { name: 'Half a name', pages: [{ id: 1 }] }, base_version: null });
  const { body } = await editor.api.get(`${PATH}/form/${form}`);
  assert.deepEqual(Object.keys(body), [
    'entity_type',
    'key',
    'author',
    'is_own',
    'base_version',
    'shared',
    'saved_at',
    'data',
  ]);
  assert.deepEqual(body.data, { name: 'Half a name', pages: [{ id: 1 }] });
  assert.deepEqual([body.is_own, body.base_version, body.shared], [true, null, false]);
  assert.ok(body.saved_at >= saved_at);
  const { results } = (await editor.api.get(`${PATH}?entity_type=form&key=${form}`)).body;
  assert.equal('data' in results[0], false);
  await editor.api.delete(`${PATH}/form/${form}`);
  await editor.api.get(`${PATH}/form/${form}`, 404);
  await editor.api.delete(`${PATH}/form/${form}`, 404);
});

test('a draft of a kind without history, and of a new item, are kept for oneself', async () => {
  const { editor } = await createTeam();
  await editor.api.put(`${PATH}/tenant_settings/settings`, DRAFT);
  await keep(editor.api, 'new');
  assert.deepEqual(await namesSeenBy(editor.api), ['Ada new']);
  for (const [kind, key] of [
    ['tenant_settings', 'settings'],
    ['form', 'new'],
  ]) {
    const refused = await editor.api.put(`${PATH}/${kind}/${key}`, { ...DRAFT, shared: true }, 422);
    assert.equal(refused.body.issues[0].field, 'shared');
  }
});

test('a draft that is not shared does not exist for others, not even for owners', async () => {
  const { owner, editor, viewer, form } = await createTeam();
  await keep(editor.api, form);
  for (const other of [owner, viewer.api]) {
    assert.deepEqual(await namesSeenBy(other), []);
    await other.get(`${PATH}/form/${form}`, 404);
    await other.get(`${PATH}/form/${form}?membership_id=${editor.membershipId}`, 404);
    await other.delete(`${PATH}/form/${form}`, 404);
  }
});

test('a shared draft is read by those who can see its record, and by nobody else', async () => {
  const { owner, editor, viewer, cook, form } = await createTeam();
  await keep(editor.api, form, { shared: true });
  const path = `${PATH}/form/${form}?membership_id=${editor.membershipId}`;
  for (const other of [owner, viewer.api]) {
    assert.deepEqual(await namesSeenBy(other), [`Ada ${form}`]);
    const { body } = await other.get(path);
    assert.deepEqual([body.data, body.is_own, body.author.name], [DRAFT.data, false, 'Ada']);
  }
  assert.deepEqual(await namesSeenBy(cook.api), []);
  await cook.api.get(path, 404);
  const stranger = await app.createTenant();
  assert.deepEqual(await namesSeenBy(stranger.api), []);
  await stranger.api.get(path, 404);
  await keep(editor.api, form);
  assert.deepEqual(await namesSeenBy(viewer.api), []);
});

test('own drafts are listed before those of others, and a draft of a deleted record is no longer shared', async () => {
  const { owner, editor, form } = await createTeam();
  await keep(owner, form);
  await keep(editor.api, form, { shared: true });
  assert.deepEqual(await namesSeenBy(owner, `entity_type=form&key=${form}`), [
    `Owner ${form}`,
    `Ada ${form}`,
  ]);
  await owner.delete(`/api/forms/${form}`);
  assert.deepEqual(await namesSeenBy(owner), [`Owner ${form}`]);
  assert.deepEqual(await namesSeenBy(editor.api), [`Ada ${form}`]);
});

test('a viewer keeps drafts but cannot share one', async () => {
  const { viewer, form } = await createTeam();
  await keep(viewer.api, form);
  const refused = await keep(viewer.api, form, { shared: true }, 403);
  assert.equal(refused.body.code, 'FORBIDDEN');
});

test('nobody shares a draft of a record that they cannot see', async () => {
  const { cook, form } = await createTeam();
  await keep(cook.api, form, { shared: true }, 422);
});

test('drafts end with the membership', async () => {
  const { owner, editor, form } = await createTeam();
  await keep(editor.api, form, { shared: true });
  await owner.delete(`/api/client/v1/memberships/${editor.membershipId}`);
  assert.deepEqual(await namesSeenBy(owner), []);
});

test('a member has at most 100 drafts, of at most 2 MiB each', async () => {
  const { editor } = await createTeam();
  for (let each = 0; each < 100; each++) await keep(editor.api, `form-${each}`);
  const refused = await keep(editor.api, 'one-more', {}, 422);
  assert.match(refused.body.issues[0].message, /100 drafts of yours; delete one first/);
  await keep(editor.api, 'form-7', { data: { text: 'x'.repeat(2_000_000) } });
  await keep(editor.api, 'form-7', { data: { text: 'x'.repeat(2_200_000) } }, 413);
});
