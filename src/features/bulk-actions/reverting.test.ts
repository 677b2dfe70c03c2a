import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { uploadBytes } from '../../../test/harness/asset-files.ts';
import { revertOperation, runBulk } from '../../../test/harness/bulk-actions.ts';
import type { Answer, Client } from '../../../test/harness/client.ts';
import { createProject } from '../../../test/harness/documents.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { createSubscriber, getSubscriber } from '../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const SUBSCRIBERS = '/api/subscribers/bulk';
const ALL = { filters: {} };
const INACTIVE = { active: false, inactive_reason: 'Asked by phone' };

const preview = async (api: Client, id: string) =>
  (await api.post(`/api/operations/${id}/revert`, { dry_run: true })).body;

/** Returns the statuses of the documents in a list by id. */
async function statusesOf(listed: Promise<Answer>): Promise<Record<string, string>> {
  const { results } = (await listed).body;
  return Object.fromEntries(results.map(({ id, status }: { id: string; status: string }) => [id, status]));
}

test('subscribers get their earlier values back, except those that have changed since', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const list = (await api.post('/api/lists', { name: 'Readers' })).body.id;
  const ids: string[] = [];
  for (let index = 0; index < 60; index++) ids.push((await createSubscriber(tenant)).id);
  const [changed = '', erased = '', first = ''] = ids;
  const { id, can_revert } = await runBulk(api, SUBSCRIBERS, { action: 'add_lists', lists: [list], ...ALL });
  assert.equal(can_revert, true);
  await api.patch(`/api/subscribers/${changed}`, { first_name: 'Since' });
  await api.delete(`/api/subscribers/${erased}`);
  const skipped = [
    { reason: 'changed', count: 1 },
    { reason: 'unavailable', count: 1 },
  ];
  assert.deepEqual(await preview(api, id), { removed: 0, restored: 58, skipped });
  const { kind, title, reverts, counts, problems } = await revertOperation(api, id);
  assert.deepEqual([kind, title, reverts], ['subscribers_bulk_revert', 'add_lists', id]);
  assert.deepEqual(counts, { removed: 0, restored: 58, skipped: 2 });
  assert.deepEqual(problems.map(({ key }: { key: string }) => key).sort(), [changed, erased].sort());
  assert.deepEqual((await getSubscriber(tenant, first)).lists, []);
  assert.deepEqual((await getSubscriber(tenant, changed)).lists, [list]);
});

test('choices of subscription types and erasures are not reverted', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const offers = { id: 'offers', name: 'Offers', description: 'Offers of the month', active: true };
  await api.patch('/api/email_settings', { subscription_types: [offers] });
  await createSubscriber(tenant);
  const subscription_updates = [{ subscription_type_id: 'offers', subscribe: false }];
  for (const action of [{ action: 'set_subscription', subscription_updates }, { action: 'erase' }]) {
    const { id, counts, can_revert } = await runBulk(api, SUBSCRIBERS, { ...action, ...ALL });
    assert.deepEqual([counts.changed, can_revert], [1, false]);
    const { body } = await api.post(`/api/operations/${id}/revert`, {}, 409);
    assert.equal(body.code, 'NOT_REVERTIBLE');
  }
});

test('an editor reverts the own change, but not in units that it has lost', async () => {
  const tenant = await app.createTenant();
  const [garden, kitchen] = [await createUnit(tenant, 'Garden'), await createUnit(tenant, 'Kitchen')];
  const mine = await createSubscriber(tenant, { business_unit: garden });
  const lost = await createSubscriber(tenant, { business_unit: kitchen });
  const editor = await createMember(tenant, [
    { bu_id: garden, role: 'editor' },
    { bu_id: kitchen, role: 'editor' },
  ]);
  const { id } = await runBulk(editor.api, SUBSCRIBERS, { action: 'set_active', ...INACTIVE, ...ALL });
  const grants = [{ bu_id: garden, role: 'editor' }];
  await tenant.api.patch(`/api/client/v1/memberships/${editor.membershipId}`, { grants });
  const skipped = [{ reason: 'unavailable', count: 1 }];
  assert.deepEqual(await preview(editor.api, id), { removed: 0, restored: 1, skipped });
  const { counts } = await revertOperation(editor.api, id);
  assert.deepEqual(counts, { removed: 0, restored: 1, skipped: 1 });
  assert.equal((await getSubscriber(tenant, mine.id)).active, true);
  assert.equal((await getSubscriber(tenant, lost.id)).active, false);
});

test('changed documents get their status back and keep what others have written before', async () => {
  const { api } = await app.createTenant();
  const { path, putDocument, list } = await createProject(api);
  for (const id of ['one', 'two', 'three']) await putDocument(id);
  const { id, counts } = await runBulk(api, `${path}/bulk`, { action: 'set_status', status: 'live', ...ALL });
  assert.equal(counts.changed, 3);
  await putDocument('two', { status: 'live', name: 'Renamed since' });
  await api.delete(`${path}/three`);
  const skipped = [
    { reason: 'changed', count: 1 },
    { reason: 'unavailable', count: 1 },
  ];
  assert.deepEqual(await preview(api, id), { removed: 0, restored: 1, skipped });
  assert.deepEqual((await revertOperation(api, id)).counts, { removed: 0, restored: 1, skipped: 2 });
  assert.deepEqual(await statusesOf(list()), { one: 'draft', two: 'live' });
});

test('deleted documents and redirects come back, unless another has taken their place', async () => {
  const { api } = await app.createTenant();
  const { id: project, path, putDocument, list } = await createProject(api);
  for (const id of ['one', 'two', 'three']) await putDocument(id, { status: 'live' });
  const { id } = await runBulk(api, `${path}/bulk`, { action: 'delete', ...ALL });
  await putDocument('four', { uid: 'two' });
  await putDocument('three', { name: 'Created again' });
  const skipped = [{ reason: 'changed', count: 1 }];
  assert.deepEqual(await preview(api, id), { removed: 0, restored: 2, skipped });
  const { counts, problems } = await revertOperation(api, id);
  assert.deepEqual(counts, { removed: 0, restored: 1, skipped: 2 });
  assert.deepEqual(
    problems
      .map(({ key, message }: { key: string; message: string }) => `${key.split('#')[1]} ${message}`)
      .sort(),
    ['three has changed since', 'two would no longer be valid with its earlier values'],
  );
  assert.deepEqual(await statusesOf(list()), { one: 'live', three: 'draft', four: 'draft' });

  const redirects = `/api/pages/${project}/redirects`;
  const source_domain = 'www.acme.example';
  await api.patch(`/api/pages/project_metadata/${project}`, {
    redirect_config: { source_domains: [source_domain] },
  });
  const rule = { source_domain, redirect_type: '301', is_active: true, target_url: '/new' };
  await api.post(redirects, { ...rule, source_url_path: '/a' });
  const deleted = await runBulk(api, `${redirects}/bulk`, { action: 'delete', ...ALL });
  assert.equal((await revertOperation(api, deleted.id)).counts.restored, 1);
  const check = { source_domain, source_url_path: '/a' };
  assert.equal((await api.post(`${redirects}/check`, check)).body.redirect, true);
});

test('changes of kinds without versions are not reverted', async () => {
  const { api } = await app.createTenant();
  await uploadBytes(api, `file ${randomUUID()}`);
  const moved = await runBulk(api, '/api/assets/bulk', { action: 'move', folder: '/logos', ...ALL });
  assert.deepEqual([moved.counts.changed, moved.can_revert], [1, false]);
});
