/** Readiness of a process whose database has changed since startup. */
import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { eventually } from '../harness/poll.ts';
import { startOwnApp } from '../harness/test-app.ts';
import { testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const serverUrl = testServerUrl();
const skip = !serverUrl && 'needs TEST_DATABASE_URL';

async function runOn(url: string | undefined, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

test('a running process is not ready while the role lacks a right', {
  skip,
}, async () => {
  const { anonymous, env } = await startOwnApp();
  await anonymous.get('/readyz', 200);
  await runOn(env.DATABASE_URL, 'revoke update on forms from tessera_app');
  assert.equal((await anonymous.get('/readyz', 503)).body.code, 'NOT_READY');
  await anonymous.get('/healthz', 200);
  await runOn(env.DATABASE_URL, 'grant update on forms to tessera_app');
  await anonymous.get('/readyz', 200);
});

test('a running process is not ready while the database is unavailable', {
  skip,
}, async () => {
  const { anonymous, env } = await startOwnApp();
  const name = new URL(env.DATABASE_URL ?? '').pathname.slice(1);
  await runOn(
    serverUrl,
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  assert.equal((await anonymous.get('/readyz', 503)).body.code, 'NOT_READY');
  await anonymous.get('/healthz', 200);
  await runOn(serverUrl, `alter database ${name} allow_connections true`);
  await eventually(
    'the process to be ready',
    async () => (await anonymous.send('GET', '/readyz')).status === 200,
  );
});
