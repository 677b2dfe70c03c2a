import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { startOwnApp } from '../../../test/harness/test-app.ts';
import { subscriberImport } from '../contacts/subscribers/import/jobs.ts';

// The statistics of a server are those of all its connections, and reach the views later.
export const runsOn = ['embedded'];

// So many that an index is faster than reading the table.
const ROWS = 1000;

const { app, createTenant } = await startOwnApp({ ROLE: 'api' });
const { platform } = app;
const db = platform.database.everyTenant('tests');

/** Returns how many versions have been read so far, from the table or its indexes. */
async function rowsRead(): Promise<number> {
  await db.raw(sql`select pg_stat_force_next_flush()`);
  const { rows } = await db.raw(sql<{ count: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_user_tables where relname = 'record_history'`);
  assert.equal(rows.length, 1);
  return rows[0]?.count ?? 0;
}

test('the preview of a revert reads the last version of each record', async () => {
  const { api, tenantId } = await createTenant();
  const file = ['email,first_name', ...Array.from({ length: ROWS }, (_, n) => `p${n}@example.com,P`)].join(
    '\n',
  );
  const options = { rawBody: file, headers: { 'content-type': 'text/csv' } };
  const { body } = await api.post('/api/subscribers/import?mode=upsert', undefined, 200, options);
  await subscriberImport.run({ tenantId, operationId: body.import_id, turn: 0 }, platform);

  const before = await rowsRead();
  const preview = await api.post(`/api/operations/${body.import_id}/revert`, { dry_run: true });
  assert.equal(preview.body.removed, ROWS);
  const read = (await rowsRead()) - before;
  assert.ok(read > 0 && read <= 2 * ROWS, `${read} rows were read`);
});
