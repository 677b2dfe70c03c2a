import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { openEmbeddedPool } from './pool.ts';

test('times leave the database as ISO 8601 UTC with milliseconds, whatever fraction and zone PostgreSQL writes', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-pool-'));
  const { pool, close } = await openEmbeddedPool(folder);
  t.after(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  const times = {
    '2026-11-21T13:36:15Z': '2026-11-21T13:36:15.000Z',
    '2026-11-21T13:36:15.5Z': '2026-11-21T13:36:15.500Z',
    '2026-11-21T13:36:15.035999Z': '2026-11-21T13:36:15.035Z',
    '1999-01-02T03:04:05.12Z': '1999-01-02T03:04:05.120Z',
  };
  for (const zone of ['UTC', 'Asia/Kolkata']) {
    await pool.query(`set time zone '${zone}'`);
    for (const [given, expected] of Object.entries(times)) {
      const { rows } = await pool.query('select $1::timestamptz as at', [given]);
      assert.equal(rows[0]?.at, expected, `${given} in ${zone}`);
    }
  }
});
