import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { startOwnApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startOwnApp();
const tenant = await app.createTenant();
const receiver = await startReceiver();
const path = '/api/automations';
const everything = app.app.platform.database.everyTenant('tests');

await tenant.api.post('/api/entities', { name: 'note', fields: [{ name: 'text', type: 'string' }] });

/** Calls without a response yet, oldest first. */
const pending: ServerResponse[] = [];
receiver.answer = (_request, response) => void pending.push(response);

const call = (key: string, at: string) => ({
  key,
  name: key,
  actionTypeKey: 'httpRequest',
  params: { method: 'POST', url: `${receiver.url}/${at}` },
});
const write = (key: string, data: object = { text: key }) => ({
  key,
  name: key,
  actionTypeKey: 'createRecord',
  params: { entity: 'note', data },
});
const log = { key: 'log', name: 'Log', actionTypeKey: 'log', params: { message: 'x' } };

const definition = (key: string, actions: readonly object[]) => ({
  ...{ key, app: 'test', name: key, triggerType: 'webhook', triggerParams: {}, actions },
});

async function define(key: string, actions: readonly object[], { api }: Pick<TestTenant, 'api'> = tenant) {
  await api.post(path, definition(key, actions));
}

async function run(key: string, { api }: Pick<TestTenant, 'api'> = tenant): Promise<string> {
  return (await api.post(`${path}/${key}/run`, {}, 202)).body.run_id;
}

async function ended(key: string, id: string, { api }: Pick<TestTenant, 'api'> = tenant) {
  return eventually('the end of the run', async () => {
    const { body } = await api.get(`${path}/${key}/runs/${id}`);
    return body.finished_at !== null && body;
  });
}

const calls = (count: number) => eventually(`${count} calls`, () => pending.length >= count);

function answerAll(status = 200): void {
  for (const response of pending.splice(0)) response.writeHead(status).end('{}');
}

async function notes(): Promise<number> {
  const { rows } = await everything.raw(
    sql<{ count: number }>`select count(*) as count from ${sql.table(`${schema}.note`)}`,
  );
  return rows[0]?.count ?? 0;
}

const { rows: schemas } = await everything.raw(
  sql<{ name: string }>`
    select n.nspname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'note' and c.relkind = 'r'`,
);
const schema = schemas[0]?.name ?? '';

const ABANDONED =
  /^tessera_work_queue_acknowledged_total\{queue="automation-runs",outcome="abandoned"\} (\d+)$/m;

/** Returns the number of abandoned attempts. */
async function abandoned(): Promise<number> {
  return Number(ABANDONED.exec((await app.anonymous.get('/metrics')).text)?.[1] ?? 0);
}

/** Claims a run, as if another process had it. */
async function claimUntil(id: string, until: Date): Promise<void> {
  await everything.raw(
    sql`update automation_runs set due_at = ${until}::timestamptz, claim_id = ${randomUUID()}::uuid
      where id = ${id}::uuid and state = 'pending'`,
  );
}

/** Claims a run as another process would, while an attempt of the run waits for a response. */
async function abandon(id: string): Promise<void> {
  const before = await abandoned();
  await claimUntil(id, new Date(Date.now() + 3_600_000));
  answerAll();
  await eventually('the abandoned attempt', async () => (await abandoned()) > before);
}

test('a worker that lost a run writes nothing, and repeated calls have the same key', async () => {
  await define('twice', [call('ask', 'twice'), write('first'), write('second'), log]);
  const before = { notes: await notes(), calls: receiver.received.length };
  const id = await run('twice');
  await calls(1);
  await abandon(id);
  await claimUntil(id, new Date());
  await calls(1);
  assert.equal(await notes(), before.notes);
  answerAll();
  const done = await ended('twice', id);
  assert.equal(done.status, 'succeeded');
  assert.deepEqual(
    done.actions.map(({ key, status }: Record<string, string>) => `${key} ${status}`),
    ['ask succeeded', 'first succeeded', 'second succeeded', 'log succeeded'],
  );
  assert.equal((await notes()) - before.notes, 2);
  const keys = receiver.received.slice(before.calls).map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 2);
  assert.equal(new Set(keys).size, 1);
});

test('a run that has made a call is completed by another worker even if its automation is switched off', async () => {
  const actions = [call('ask', 'begun'), write('told')];
  await define('begun', actions);
  const id = await run('begun');
  await calls(1);
  await tenant.api.put(`${path}/begun`, { ...definition('begun', actions), active: false });
  await abandon(id);
  await claimUntil(id, new Date());
  await calls(1);
  answerAll();
  assert.equal((await ended('begun', id)).status, 'succeeded');
});

test('completed actions stay completed when a later one fails, and each action has its own key', async () => {
  await define('failing', [write('first'), call('ask', 'failing'), call('again', 'failing')]);
  const before = { notes: await notes(), calls: receiver.received.length };
  const id = await run('failing');
  await calls(1);
  const { body: under } = await tenant.api.get(`${path}/failing/runs/${id}`);
  assert.deepEqual(
    [under.status, under.actions.map(({ key }: { key: string }) => key), under.finished_at],
    ['running', ['first'], null],
  );
  assert.equal(
    (await tenant.api.post(`${path}/failing/runs/${id}/cancel`, undefined, 409)).body.code,
    'INVALID_STATUS',
  );
  answerAll(500);
  // The second attempt follows after two seconds.
  await calls(1);
  answerAll();
  await calls(1);
  const { body: noted } = await tenant.api.get(`${path}/failing/runs/${id}`);
  assert.deepEqual(
    noted.actions.map(({ key, status }: Record<string, string>) => `${key} ${status}`),
    ['first succeeded', 'ask succeeded'],
  );
  answerAll();
  const done = await ended('failing', id);
  assert.equal(done.status, 'succeeded');
  assert.equal((await notes()) - before.notes, 1);
  const keys = receiver.received.slice(before.calls).map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual([keys.length, new Set(keys).size, keys[0] === keys[1]], [3, 2, true]);
});

test('an action that fails in its transaction leaves nothing, and the run has the reason', async () => {
  await define('refused', [write('first'), write('second', { text: { not: 'a text' } })]);
  const before = await notes();
  const id = await run('refused');
  const failed = await eventually('the failed attempt', async () => {
    const { body } = await tenant.api.get(`${path}/refused/runs/${id}`);
    return body.error !== null && body;
  });
  assert.equal(failed.actions[1].status, 'failed');
  assert.match(failed.error, /text/);
  assert.equal((await notes()) - before, 1);
});

test('runs of others continue while those of one tenant wait for receivers', async () => {
  const slow = await app.createTenant();
  for (let nth = 0; nth < 4; nth += 1) await define(`slow${nth}`, [call('ask', 'slow')], slow);
  const waiting: [string, string][] = [];
  for (let nth = 0; nth < 80; nth += 1) waiting.push([`slow${nth % 4}`, await run(`slow${nth % 4}`, slow)]);
  await calls(64);
  await define('quick', [log, { ...log, key: 'again' }]);
  const done = await ended('quick', await run('quick'));
  assert.equal(done.status, 'succeeded');
  // Another automation of the slow tenant.
  await define('own', [log], slow);
  assert.equal((await ended('own', await run('own', slow), slow)).status, 'succeeded');
  receiver.answer = (_request, response) => void response.end();
  answerAll();
  for (const [key, id] of waiting) assert.equal((await ended(key, id, slow)).status, 'succeeded');
});

test('a run of one tenant is not found by another', async () => {
  const other = await app.createTenant();
  await define('mine', [log]);
  const id = await run('mine');
  await define('mine', [log], other);
  await other.api.get(`${path}/mine/runs/${id}`, 404);
  await other.api.post(`${path}/mine/runs/${id}/cancel`, undefined, 404);
  await other.api.post(`${path}/mine/runs/${id}/replay`, undefined, 404);
  assert.equal((await other.api.get(`${path}/mine/runs`)).body.total, 0);
});

test('a reset deletes automations, their versions and their runs', async () => {
  const other = await app.createTenant();
  await define('gone', [log], other);
  await ended('gone', await run('gone', other), other);
  await other.operator.post(`/admin/tenants/${other.code}/reset`, { confirm: other.code });
  for (const table of ['automations', 'automation_versions', 'automation_runs']) {
    const { rows } = await everything.raw(
      sql`select from ${sql.table(table)} where tenant_id = ${other.tenantId}::uuid`,
    );
    assert.equal(rows.length, 0, table);
  }
  await other.api.get(`${path}/gone`, 404);
});
