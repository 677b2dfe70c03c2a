import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import test from 'node:test';
import { createMember } from '../../../../../test/harness/members.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startOwnApp, type TestTenant } from '../../../../../test/harness/test-app.ts';
import { runImport } from './jobs.ts';
import { importRetention, partRetention } from './resource.ts';

export const runsOn = ['embedded', 'server'];

const PART = 50;
const HOUR_MS = 60 * 60 * 1000;
// A process that only serves HTTP, so that enqueued jobs wait for these tests.
const { app, url, createTenant } = await startOwnApp({ ROLE: 'api', JOB_BATCH_SIZE: String(PART) });
const { platform } = app;
const { query } = platform.database.everyTenant('tests');
const IMPORT = '/api/subscribers/import';

const csv = (count: number, from = 0) =>
  ['email,first_name', ...Array.from({ length: count }, (_, n) => `p${n + from}@example.com,P`)].join('\n');

/** Uploads a file; returns the payload of its first job. */
async function queue({ api, tenantId }: TestTenant, file: string, search = 'mode=upsert') {
  const options = { rawBody: file, headers: { 'content-type': 'text/csv' } };
  const { body } = await api.post(`${IMPORT}?${search}`, undefined, 200, options);
  return { tenantId, importId: String(body.import_id), turn: 0 };
}

async function read({ api }: TestTenant, { importId }: { importId: string }) {
  const { status, created, updated, failed, errors } = (await api.get(`${IMPORT}/${importId}`)).body;
  return { counts: [status, created, updated, failed], errors };
}

async function total({ api }: TestTenant): Promise<number> {
  return (await api.post('/api/subscribers/list', { page: 1, limit: 1, filters: {} })).body.total;
}

/** Counts the staged parts of a tenant. */
async function staged({ tenantId }: TestTenant): Promise<number> {
  const all = query.selectFrom('subscriber_import_parts').select('part');
  return (await all.where('tenant_id', '=', tenantId).execute()).length;
}

/** Returns the turn numbers of waiting jobs of a tenant's imports. */
async function turns({ tenantId }: TestTenant): Promise<unknown[]> {
  const rows = await query.selectFrom('jobs').select('payload').where('tenant_id', '=', tenantId).execute();
  return rows.map(({ payload }) => payload);
}

test('an acknowledged import stays staged until a job applies it', async () => {
  const tenant = await createTenant();
  const payload = await queue(tenant, csv(120));
  assert.deepEqual((await read(tenant, payload)).counts, ['queued', 0, 0, 0]);
  assert.deepEqual([await staged(tenant), await total(tenant)], [3, 0]);
  assert.deepEqual(await turns(tenant), [payload]);
});

test('a run hands over to the next after a while, and an old job applies no more parts', async () => {
  const tenant = await createTenant();
  const first = await queue(tenant, csv(3 * PART));
  await runImport(platform, first, -1);
  assert.deepEqual((await read(tenant, first)).counts, ['running', PART, 0, 0]);
  const second = { ...first, turn: 1 };
  assert.deepEqual(await turns(tenant), [first, second]);
  await runImport(platform, first);
  assert.equal(await total(tenant), PART);
  await runImport(platform, second);
  assert.deepEqual((await read(tenant, first)).counts, ['completed', 3 * PART, 0, 0]);
  assert.deepEqual([await staged(tenant), await total(tenant)], [0, 3 * PART]);
  // A retried job: its process was killed before the result was stored.
  await runImport(platform, second);
  assert.deepEqual((await read(tenant, first)).counts, ['completed', 3 * PART, 0, 0]);
});

test('a file with one address is applied in order and in short transactions', async () => {
  const tenant = await createTenant();
  const rows = Array.from({ length: 45 }, (_, n) => `${n % 2 ? 'Ada' : ' ADA'}@example.com,Version ${n}`);
  const payload = await queue(tenant, ['email,first_name', ...rows].join('\n'));
  assert.equal(await staged(tenant), 3);
  await runImport(platform, payload);
  assert.deepEqual((await read(tenant, payload)).counts, ['completed', 1, 44, 0]);
  const all = { page: 1, limit: 1, filters: {} };
  const [found] = (await tenant.api.post('/api/subscribers/list', all)).body.results;
  assert.deepEqual([found.first_name, found.version], ['Version 44', 45]);
});

test('workers that run one import concurrently apply each row once', async () => {
  const tenant = await createTenant();
  const { id: list } = (await tenant.api.post('/api/lists', { name: 'News' })).body;
  const payload = await queue(tenant, csv(8 * PART), `mode=upsert&list_id=${list}`);
  await Promise.all([1, 2, 3].map(() => runImport(platform, payload)));
  assert.deepEqual((await read(tenant, payload)).counts, ['completed', 8 * PART, 0, 0]);
  assert.equal(await total(tenant), 8 * PART);
  assert.equal((await tenant.api.get(`/api/lists/${list}`)).body.subscriber_count, 8 * PART);
});

test('concurrent imports of the same subscribers create each of them once', async () => {
  const tenant = await createTenant();
  const payloads = await Promise.all(
    [csv(6 * PART), csv(6 * PART, PART)].map((file) => queue(tenant, file, 'mode=insert')),
  );
  await Promise.all(payloads.map((payload) => runImport(platform, payload)));
  const [one, other] = await Promise.all(payloads.map((payload) => read(tenant, payload)));
  assert.equal(Number(one?.counts[1]) + Number(other?.counts[1]), 7 * PART);
  assert.equal(Number(one?.counts[3]) + Number(other?.counts[3]), 5 * PART);
  assert.equal(await total(tenant), 7 * PART);
});

test('a list that is deleted before its import is applied is ignored', async () => {
  const tenant = await createTenant();
  const { id: list } = (await tenant.api.post('/api/lists', { name: 'News' })).body;
  const payload = await queue(tenant, csv(1), `mode=insert&list_id=${list}`);
  await tenant.api.delete(`/api/lists/${list}`);
  await runImport(platform, payload);
  assert.deepEqual((await read(tenant, payload)).counts, ['completed', 1, 0, 0]);
});

test('an import stops when the user who started it is no longer a member, or no editor of its unit', async () => {
  const tenant = await createTenant();
  const grant = { bu_id: tenant.defaultUnitId, role: 'editor' } as const;
  const changes: [object, object][] = [
    [{ status: 'inactive' }, { status: 'active' }],
    [{ grants: [{ ...grant, role: 'viewer' }] }, { grants: [grant] }],
  ];
  for (const [change, undo] of changes) {
    const member = await createMember(tenant, [grant]);
    const memberPath = `/api/client/v1/memberships/${member.membershipId}`;
    const payload = await queue({ ...tenant, api: member.api }, csv(3 * PART), 'mode=upsert');
    await runImport(platform, payload, -1);
    await tenant.api.put(memberPath, change);
    const next = { ...payload, turn: 1 };
    await runImport(platform, next);
    assert.equal(await staged(tenant), 0);
    await tenant.api.put(memberPath, undo);
    const { counts, errors } = await read({ ...tenant, api: member.api }, payload);
    assert.equal(counts[0], 'failed');
    const message = 'the import stopped before this row: the user who started it is no longer an editor';
    assert.deepEqual(errors, [{ line: PART + 2, message }]);
  }
  assert.equal(await total(tenant), PART);
});

test('a broken part is retried, and finally the import fails at its line', async () => {
  const tenant = await createTenant();
  const payload = await queue(tenant, csv(3 * PART));
  const broken = JSON.stringify({ columns: null, rows: [{ line: PART + 2, cells: [] }] });
  const parts = query.updateTable('subscriber_import_parts').set({ content: broken });
  await parts.where('tenant_id', '=', tenant.tenantId).where('part', '=', 1).execute();
  for (let run = 1; run < 7; run += 1) await assert.rejects(runImport(platform, payload));
  assert.deepEqual((await read(tenant, payload)).counts, ['running', PART, 0, 0]);
  await runImport(platform, payload);
  const { counts, errors } = await read(tenant, payload);
  assert.deepEqual(counts, ['failed', PART, 0, 0]);
  assert.deepEqual(errors, [
    { line: PART + 2, message: 'the import stopped before this row because of an internal error' },
  ]);
  assert.deepEqual([await staged(tenant), await total(tenant)], [0, PART]);
});

test('an interrupted upload leaves no rows', async () => {
  const tenant = await createTenant();
  const file = csv(3 * PART);
  const request = http.request(`${url}${IMPORT}?mode=upsert`, {
    method: 'POST',
    headers: { ...tenant.api.headers, 'content-type': 'text/csv', 'content-length': String(file.length) },
  });
  request.on('error', () => {});
  request.write(file.slice(0, file.indexOf('p110@')));
  await once(request, 'socket');
  await eventually('rows to be staged', async () => (await staged(tenant)) === 2);
  request.destroy();
  await eventually('them to be gone', async () => (await staged(tenant)) === 0);
  assert.deepEqual(await turns(tenant), []);
});

test('unacknowledged rows are deleted after two days, results after thirty', async () => {
  const tenant = await createTenant();
  const payload = await queue(tenant, csv(1));
  const lost = { tenant_id: tenant.tenantId, import_id: '01900000-0000-7000-8000-000000000000' };
  await query
    .insertInto('subscriber_import_parts')
    .values({ ...lost, part: 0, content: '{}' })
    .execute();
  const after = (hours: number) => ({
    ...platform,
    clock: () => new Date(Date.now() + hours * HOUR_MS),
  });
  await partRetention.removeOld(after(49));
  assert.equal(await staged(tenant), 1);
  await importRetention.removeOld(after(29 * 24));
  assert.deepEqual((await read(tenant, payload)).counts, ['queued', 0, 0, 0]);
  await importRetention.removeOld(after(31 * 24));
  await tenant.api.get(`${IMPORT}/${payload.importId}`, 404);
  await partRetention.removeOld(after(49));
  assert.equal(await staged(tenant), 0);
});
