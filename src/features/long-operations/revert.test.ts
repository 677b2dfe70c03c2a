import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../test/harness/members.ts';
import { createSubscriber } from '../../../test/harness/subscribers.ts';
import { startOwnApp, type TestTenant } from '../../../test/harness/test-app.ts';
import { changeRetention } from '../../long-operations/changes.ts';
import { subscriberImport } from '../contacts/subscribers/import/jobs.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const PATH = '/api/operations';
const DAY_MS = 24 * 60 * 60 * 1000;
let passed = 0;
// A process that only serves HTTP, so that operations wait until a test runs their job.
const { app, createTenant } = await startOwnApp(
  { ROLE: 'api', JOB_BATCH_SIZE: '4' },
  { clock: () => new Date(Date.now() + passed) },
);
const { platform } = app;
const { query } = platform.database.everyTenant('tests');

type Api = TestTenant['api'];

async function runImport(
  { tenantId, api }: TestTenant,
  rows: readonly string[],
  search = '',
): Promise<string> {
  const options = { rawBody: rows.join('\n'), headers: { 'content-type': 'text/csv' } };
  const { body } = await api.post(`/api/subscribers/import?mode=upsert${search}`, undefined, 200, options);
  await subscriberImport.run({ tenantId, operationId: body.import_id, turn: 0 }, platform);
  return String(body.import_id);
}

/** Reverts an operation, by at most the given number of jobs. */
async function revert({ tenantId, api }: TestTenant, id: string, runMs?: number): Promise<string> {
  const { operation_id: operationId } = (await api.post(`${PATH}/${id}/revert`, {})).body;
  await subscriberImport.revert?.kind.run({ tenantId, operationId, turn: 0 }, platform, runMs);
  return operationId;
}

const read = async (api: Api, id: string) => (await api.get(`${PATH}/${id}`)).body;
const preview = async (api: Api, id: string) =>
  (await api.post(`${PATH}/${id}/revert`, { dry_run: true })).body;
const found = async (api: Api, email: string) =>
  (await api.post('/api/subscribers/list', { page: 1, limit: 1, filters: { email: { eq: email } } })).body
    .results[0];

test('a revert removes created subscribers and restores changed ones', async () => {
  const tenant = await createTenant();
  const { api } = tenant;
  const lists = [];
  for (const name of ['Old', 'New']) lists.push((await api.post('/api/lists', { name })).body.id);
  const [oldList, newList] = lists;
  const fields = { first_name: 'Ada', last_name: 'Lovelace', lists: [oldList] };
  const data = { city: 'London', size: 3 };
  const { id } = await createSubscriber(tenant, {
    ...fields,
    email: 'ada@example.com',
    additional_fields_data: data,
  });
  const rows = ['email,first_name,last_name,lists,active,inactive_reason,city,color'];
  rows.push(`ADA@example.com,A.,,${newList},false,Left,Paris,red`);
  for (let n = 0; n < 9; n += 1) rows.push(`p${n}@example.com,P,,${newList},true,,,`);
  const operation = await runImport(tenant, rows);
  assert.equal((await found(api, 'ada@example.com')).first_name, 'A.');
  assert.equal((await read(api, operation)).can_revert, true);
  assert.deepEqual(await preview(api, operation), { removed: 9, restored: 1, skipped: [] });

  const reverting = await revert(tenant, operation);
  const { kind, status, done, total, reverts, counts } = await read(api, reverting);
  assert.deepEqual(
    { kind, status, done, total, reverts, counts },
    {
      kind: 'subscriber_import_revert',
      status: 'completed',
      done: 10,
      total: 10,
      reverts: operation,
      counts: { removed: 9, restored: 1, skipped: 0 },
    },
  );
  const ada = (await api.get(`/api/subscribers/${id}`)).body;
  const { first_name, last_name, email, active, inactive_reason, additional_fields_data } = ada;
  assert.deepEqual(
    { first_name, last_name, email, active, inactive_reason, lists: ada.lists, additional_fields_data },
    {
      ...fields,
      email: 'ada@example.com',
      active: true,
      inactive_reason: null,
      additional_fields_data: data,
    },
  );
  assert.equal((await api.get(`/api/lists/${newList}`)).body.subscriber_count, 0);
  assert.equal((await api.get(`/api/lists/${oldList}`)).body.subscriber_count, 1);
  assert.equal((await api.post('/api/subscribers/list', { page: 1, limit: 1, filters: {} })).body.total, 1);
  const reverted = await read(api, operation);
  assert.deepEqual([reverted.can_revert, reverted.reverted_by], [false, reverting]);
  assert.equal((await api.post(`${PATH}/${operation}/revert`, {}, 409)).body.code, 'NOT_REVERTIBLE');
});

test('records that have changed since stay as they are, and are listed', async () => {
  const tenant = await createTenant();
  const { api } = tenant;
  const file = ['email,first_name', ...Array.from({ length: 6 }, (_, n) => `p${n}@example.com,P`)];
  const operation = await runImport(tenant, file);
  const changed = await found(api, 'p1@example.com');
  await api.patch(`/api/subscribers/${changed.id}`, { first_name: 'Mine' });
  await api.delete(`/api/subscribers/${(await found(api, 'p2@example.com')).id}`);
  const skipped = [
    { reason: 'changed', count: 1 },
    { reason: 'unavailable', count: 1 },
  ];
  assert.deepEqual(await preview(api, operation), { removed: 4, restored: 0, skipped });
  const { counts, problems } = await read(api, await revert(tenant, operation));
  assert.deepEqual(counts, { removed: 4, restored: 0, skipped: 2 });
  assert.equal(problems.length, 2);
  const problem = problems.find(({ key }: { key: string }) => key === changed.id);
  assert.equal(problem.message, 'has changed since');
  assert.equal((await found(api, 'p1@example.com')).first_name, 'Mine');
});

test('a row that an import changes several times gets back its first values', async () => {
  const tenant = await createTenant();
  await createSubscriber(tenant, { email: 'ada@example.com', first_name: 'Ada' });
  const rows = Array.from({ length: 9 }, (_, n) => `ada@example.com,Version ${n}`);
  const operation = await runImport(tenant, ['email,first_name', ...rows]);
  assert.deepEqual(await preview(tenant.api, operation), { removed: 0, restored: 1, skipped: [] });
  await revert(tenant, operation);
  assert.equal((await found(tenant.api, 'ada@example.com')).first_name, 'Ada');
});

test('a cancelled revert leaves the rest to a later one', async () => {
  const tenant = await createTenant();
  const { api } = tenant;
  const file = ['email,first_name', ...Array.from({ length: 10 }, (_, n) => `p${n}@example.com,P`)];
  const operation = await runImport(tenant, file);
  const first = await revert(tenant, operation, -1);
  const cancelled = (await api.post(`${PATH}/${first}/cancel`, {})).body;
  assert.deepEqual([cancelled.status, cancelled.counts.removed], ['cancelled', 4]);
  assert.equal((await read(api, operation)).can_revert, true);
  const { counts } = await read(api, await revert(tenant, operation));
  assert.deepEqual(counts, { removed: 6, restored: 0, skipped: 4 });
});

test('a revert needs the role to delete, and works for seven days', async () => {
  const tenant = await createTenant();
  const grant = { bu_id: tenant.defaultUnitId, role: 'editor' } as const;
  const editor = await createMember(tenant, [grant]);
  const operation = await runImport({ ...tenant, api: editor.api }, ['email,first_name', 'a@example.com,A']);
  assert.equal((await read(editor.api, operation)).can_revert, false);
  await editor.api.post(`${PATH}/${operation}/revert`, {}, 403);
  assert.equal((await read(tenant.api, operation)).can_revert, true);
  const other = await createTenant();
  await other.api.post(`${PATH}/${operation}/revert`, { dry_run: true }, 404);
  passed = 7 * DAY_MS + 1000;
  assert.equal((await read(tenant.api, operation)).can_revert, false);
  await tenant.api.post(`${PATH}/${operation}/revert`, {}, 409);
  passed = 0;
});

test('an operation cannot be reverted before it ends', async () => {
  const { api } = await createTenant();
  const options = { rawBody: 'email,first_name\na@example.com,A', headers: { 'content-type': 'text/csv' } };
  const path = '/api/subscribers/import?mode=insert';
  const { import_id: id } = (await api.post(path, undefined, 200, options)).body;
  assert.equal((await read(api, id)).can_revert, false);
  await api.post(`${PATH}/${id}/revert`, {}, 409);
});

test('changes are deleted after eight days', async () => {
  const tenant = await createTenant();
  await runImport(tenant, ['email,first_name', 'a@example.com,A']);
  const count = async () => {
    const all = query.selectFrom('operation_changes').select('record_key');
    return (await all.where('tenant_id', '=', tenant.tenantId).execute()).length;
  };
  const after = (days: number) => ({ ...platform, clock: () => new Date(Date.now() + days * DAY_MS) });
  await changeRetention.removeOld(after(7.9));
  assert.equal(await count(), 1);
  await changeRetention.removeOld(after(8.1));
  assert.equal(await count(), 0);
});
