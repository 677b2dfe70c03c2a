import assert from 'node:assert/strict';
import test from 'node:test';
import { createTestDatabase } from '../../test/harness/test-database.ts';
import { openEmbeddedPool, openServerPool } from './pool.ts';

export const runsOn = ['embedded', 'server'];

test('times leave the database as ISO 8601 UTC with milliseconds, whatever fraction and zone PostgreSQL writes', async (t) => {
  const { env, remove } = await createTestDatabase();
  const url = env.DATABASE_URL;
  const { pool, close } = url ? openServerPool(url) : await openEmbeddedPool(env.DATA_DIR ?? '');
  t.after(async () => {
    await close();
    await remove();
  });
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
