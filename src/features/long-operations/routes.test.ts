import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../test/harness/members.ts';
import { startOwnApp, type TestTenant } from '../../../test/harness/test-app.ts';
import { operationRetention } from '../../long-operations/operations.ts';
import { subscriberImport } from '../contacts/subscribers/import/jobs.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const PART = 50;
const DAY_MS = 24 * 60 * 60 * 1000;
const PATH = '/api/operations';

// A process that only serves HTTP, so that operations wait until a test runs their job.
const { app, createTenant } = await startOwnApp({ ROLE: 'api', JOB_BATCH_SIZE: String(PART) });
const { platform } = app;
const { query } = platform.database.everyTenant('tests');

type Api = TestTenant['api'];

async function importRows(api: Api, count: number, search = 'mode=insert'): Promise<string> {
  const rows = Array.from({ length: count }, (_, n) => `p${n}@example.com,P`);
  const options = {
    rawBody: ['email,first_name', ...rows].join('\n'),
    headers: { 'content-type': 'text/csv' },
  };
  const { body } = await api.post(`/api/subscribers/import?${search}`, undefined, 200, options);
  return String(body.import_id);
}

/** Does one part of an import, or deletes what a cancelled one has left. */
const run = ({ tenantId }: TestTenant, operationId: string, turn: number) =>
  subscriberImport.run({ tenantId, operationId, turn }, platform, -1);
const list = async (api: Api, filters: object = {}) =>
  (await api.post(`${PATH}/list`, { page: 1, limit: 20, filters })).body.results;
const read = async (api: Api, id: string) => (await api.get(`${PATH}/${id}`)).body;

async function staged({ tenantId }: TestTenant): Promise<number> {
  const all = query.selectFrom('subscriber_import_parts').select('part');
  return (await all.where('tenant_id', '=', tenantId).execute()).length;
}

test('an import is an operation with its progress, title and results', async () => {
  const tenant = await createTenant();
  const { api } = tenant;
  const { id: listId } = (await api.post('/api/lists', { name: 'News' })).body;
  const id = await importRows(api, PART + 1, `mode=insert&list_id=${listId}`);
  const queued = await read(api, id);
  const { kind, title, status, done, total, finished_at, can_cancel } = queued;
  assert.deepEqual(
    { kind, title, status, done, total, finished_at, can_cancel },
    {
      kind: 'subscriber_import',
      title: 'News',
      status: 'queued',
      done: 0,
      total: PART + 1,
      finished_at: null,
      can_cancel: true,
    },
  );
  await run(tenant, id, 0);
  const running = await read(api, id);
  assert.deepEqual([running.status, running.done, running.counts.created], ['running', PART, PART]);
  await run(tenant, id, 1);
  const ended = await read(api, id);
  assert.deepEqual([ended.status, ended.done, ended.can_cancel], ['completed', PART + 1, false]);
  assert.deepEqual(ended.counts, { created: PART + 1, updated: 0, failed: 0 });
  assert.notEqual(ended.finished_at, null);
});

test('the list has filters and an order', async () => {
  const { api } = await createTenant();
  const ids = [await importRows(api, 1), await importRows(api, 1)];
  await api.post(`${PATH}/${ids[0]}/cancel`, {});
  const idsOf = (found: { id: string }[]) => found.map(({ id }) => id);
  assert.deepEqual(idsOf(await list(api)), ids.toReversed());
  assert.deepEqual(idsOf(await list(api, { status: { eq: 'cancelled' } })), [ids[0]]);
  assert.deepEqual(await list(api, { kind: { eq: 'export' } }), []);
  const [{ started_by }] = await list(api);
  assert.deepEqual(
    idsOf(await list(api, { started_by: { eq: started_by.membership_id } })),
    ids.toReversed(),
  );
  const { results } = (await api.post(`${PATH}/list`, { page: 1, limit: 1, sort: 'created_at' })).body;
  assert.deepEqual(idsOf(results), [ids[0]]);
});

test('members see their own operations, owners all of the tenant, and other tenants none', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const grants = [{ bu_id: tenant.defaultUnitId, role: 'editor' }] as const;
  const [ada, bob] = [await createMember(tenant, [...grants]), await createMember(tenant, [...grants])];
  const id = await importRows(ada.api, 1);
  for (const { api } of [ada, tenant]) {
    assert.equal((await list(api)).length, 1);
    assert.equal((await api.get(`${PATH}/running`)).body.results.length, 1);
    assert.equal((await read(api, id)).started_by.membership_id, ada.membershipId);
  }
  for (const { api } of [bob, other]) {
    assert.deepEqual(await list(api), []);
    assert.deepEqual(await list(api, { started_by: { eq: ada.membershipId } }), []);
    assert.deepEqual((await api.get(`${PATH}/running`)).body.results, []);
    await api.get(`${PATH}/${id}`, 404);
    await api.post(`${PATH}/${id}/cancel`, {}, 404);
  }
});

test('running operations are sent again only when something has changed', async () => {
  const tenant = await createTenant();
  const { api } = tenant;
  const id = await importRows(api, 2 * PART);
  const first = await api.get(`${PATH}/running`);
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  await api.get(`${PATH}/running`, 304, { headers });
  await run(tenant, id, 0);
  const [operation] = (await api.get(`${PATH}/running`, 200, { headers })).body.results;
  assert.deepEqual([operation.status, operation.done], ['running', PART]);
  await run(tenant, id, 1);
  assert.deepEqual((await api.get(`${PATH}/running`)).body.results, []);
});

test('a cancelled import keeps what it has done, and deletes the rest of the file', async () => {
  const tenant = await createTenant();
  const { api } = tenant;
  const id = await importRows(api, 3 * PART);
  await run(tenant, id, 0);
  const cancelled = (await api.post(`${PATH}/${id}/cancel`, {})).body;
  assert.deepEqual([cancelled.status, cancelled.done, cancelled.can_cancel], ['cancelled', PART, false]);
  // The job that was queued before does nothing; that of the cancel deletes the rows.
  await run(tenant, id, 1);
  assert.notEqual(await staged(tenant), 0);
  await run(tenant, id, 2);
  assert.equal(await staged(tenant), 0);
  const progress = (await api.get(`/api/subscribers/import/${id}`)).body;
  assert.deepEqual([progress.status, progress.created, progress.errors], ['cancelled', PART, []]);
  assert.equal((await api.post(`${PATH}/${id}/cancel`, {})).body.status, 'cancelled');
});

test('an operation fails if its starter has lost the role, which still may watch it', async () => {
  const tenant = await createTenant();
  const grant = { bu_id: tenant.defaultUnitId, role: 'editor' } as const;
  const member = await createMember(tenant, [grant]);
  const id = await importRows(member.api, 2 * PART);
  await run(tenant, id, 0);
  const path = `/api/client/v1/memberships/${member.membershipId}`;
  await tenant.api.put(path, { grants: [{ ...grant, role: 'viewer' }] });
  await run(tenant, id, 1);
  const failed = await read(member.api, id);
  assert.deepEqual([failed.status, failed.done, failed.problems.length], ['failed', PART, 1]);
  assert.equal(failed.error, 'The member who started it no longer has the role for it.');
});

test('an export is an operation, and a cancelled one is not written', async () => {
  const { api } = await createTenant();
  const body = {
    receiver_email: 'ada@example.com',
    report_type: 'subscribers',
    output_format: 'csv',
    filters: {},
  };
  const { messageId } = (await api.post('/api/reports/export', body)).body;
  const { kind, title, total } = await read(api, messageId);
  assert.deepEqual([kind, title, total], ['export', 'subscribers', null]);
  await api.post(`${PATH}/${messageId}/cancel`, {});
  const { status, error } = (await api.get(`/api/reports/export/${messageId}`)).body;
  assert.deepEqual([status, error], ['failed', 'The export was cancelled.']);
});

test('finished operations are deleted after thirty days', async () => {
  const { api } = await createTenant();
  const [ended, running] = [await importRows(api, 1), await importRows(api, 1)];
  await api.post(`${PATH}/${ended}/cancel`, {});
  const after = (days: number) => ({ ...platform, clock: () => new Date(Date.now() + days * DAY_MS) });
  await operationRetention.removeOld(after(29));
  assert.equal((await list(api)).length, 2);
  await operationRetention.removeOld(after(31));
  assert.deepEqual(
    (await list(api)).map(({ id }: { id: string }) => id),
    [running],
  );
});
