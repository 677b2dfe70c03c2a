import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createClient } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { killProcesses, startProcess, type TestProcess } from '../harness/process.ts';
import { createTenant, testEnv } from '../harness/test-app.ts';
import { createTestDatabase } from '../harness/test-database.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const ROWS = 6000;
/** A job that was killed is retried when its lease ends. */
const LEASE_BOUND_MS = 120_000;

test('a kill during an import applies every row once', async () => {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const env = { ...testEnv(database), LOG_LEVEL: 'info', JOB_BATCH_SIZE: '50' };
  const first = await startProcess(env);
  const admin = createClient(first.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const { apiKey } = await createTenant(first.url, admin);
  const at = ({ url }: TestProcess) => createClient(url, { 'x-api-key': apiKey });
  const { id: list } = (await at(first).post('/api/lists', { name: 'News' })).body;
  const rows = Array.from({ length: ROWS }, (_, n) => `p${n}@example.com,P${n}`);
  const { body } = await at(first).post(
    `/api/subscribers/import?mode=upsert&list_id=${list}`,
    undefined,
    200,
    {
      rawBody: ['email,first_name', ...rows].join('\n'),
      headers: { 'content-type': 'text/csv' },
    },
  );
  const read = async (process: TestProcess) =>
    (await at(process).get(`/api/subscribers/import/${body.import_id}`)).body;
  const { created } = await eventually('a part of it', async () => {
    const found = await read(first);
    return found.created >= 500 ? found : null;
  });
  await first.kill('SIGKILL');
  assert.ok(created < ROWS, 'it was in the middle');

  const next = await startProcess(env);
  const result = await eventually(
    'the import',
    async () => {
      const found = await read(next);
      return found.status === 'completed' ? found : null;
    },
    LEASE_BOUND_MS,
  );
  assert.deepEqual(
    [result.total, result.created, result.updated, result.failed, result.errors],
    [ROWS, ROWS, 0, 0, []],
  );
  const all = { page: 1, limit: 1, filters: {} };
  assert.equal((await at(next).post('/api/subscribers/list', all)).body.total, ROWS);
  assert.equal((await at(next).get(`/api/lists/${list}`)).body.subscriber_count, ROWS);
});
