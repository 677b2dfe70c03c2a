import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createTestDatabase } from '../../test/harness/test-database.ts';
import { openEmbeddedPool, openServerPool, type SqlPool } from './pool.ts';

export const runsOn = ['embedded', 'server'];

async function openTestPool(t: TestContext): Promise<SqlPool> {
  const { env, remove } = await createTestDatabase();
  const url = env.DATABASE_URL;
  const pool = url ? openServerPool(url, 1) : await openEmbeddedPool(env.DATA_DIR ?? '');
  t.after(async () => {
    await pool.close();
    await remove();
  });
  return pool;
}

test('a connection that is closed is replaced by one without its transaction, role, settings and statements', async (t) => {
  const sqlPool = await openTestPool(t);
  const statement = { name: 'answer', text: 'select $1::int as answer', values: [42] };
  const state = `select current_user = session_user as is_owner, current_setting('tessera.tenant', true) as tenant,
    to_regclass('left_over') as table`;
  for (let round = 0; round < 3; round += 1) {
    const client = await sqlPool.connect();
    try {
      const { rows } = await client.query(state);
      assert.deepEqual([rows[0].is_owner, rows[0].tenant || null, rows[0].table], [true, null, null]);
      assert.deepEqual((await client.query(statement)).rows, [{ answer: 42 }]);
      await client.query('begin');
      await client.query('create temp table left_over ()');
      await client.query("set role pg_read_all_data; set tessera.tenant to 'x'");
    } finally {
      client.release(true);
    }
  }
});

test('times are returned as ISO 8601 UTC with milliseconds, whatever fraction and zone PostgreSQL writes', async (t) => {
  const { pool } = await openTestPool(t);
  const times = {
    '2026-11-21T13:36:15Z': '2026-11-21T13:36:15.000Z',
    '2026-11-21T13:36:15.5Z': '2026-11-21T13:36:15.500Z',
    '2026-11-21T13:36:15.035999Z': '2026-11-21T13:36:15.035Z',
    '1999-01-02T03:04:05.12Z': '1999-01-02T03:04:05.120Z',
  };
  for (const zone of ['UTC', 'Asia/Kolkata']) {
    const client = await pool.connect();
    await client.query(`set time zone '${zone}'`);
    for (const [given, expected] of Object.entries(times)) {
      const { rows } = await client.query('select $1::timestamptz as at', [given]);
      assert.equal(rows[0]?.at, expected, `${given} in ${zone}`);
    }
    client.release();
  }
});
