import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createMailTenant } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startOwnApp } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['embedded', 'server'];

// A shared app may have open transactions of other tests, which keep rows out of the visibility map.
const app = await startOwnApp();
const { tenantId } = await createMailTenant(app);
const { database } = app.app.platform;
const { query } = database.everyTenant('tests');
const skip = databaseKind() === 'cluster' && 'the nodes of a cluster plan by themselves';

/** Updates the statistics and the visibility map as the owner of the table, because the app's role must not. */
async function vacuum(): Promise<void> {
  if (databaseKind() !== 'server') {
    await database.vacuum();
    return;
  }
  const owner = new pg.Client({ connectionString: app.database.env.DATABASE_URL });
  await owner.connect();
  // Transactions that began before the rows were written keep them out of the visibility map.
  await eventually('all rows to be visible to all transactions', async () => {
    await owner.query('vacuum (analyze) journey_states');
    const { rows } = await owner.query(
      `select relallvisible >= relpages as is_visible from pg_class where oid = 'journey_states'::regclass`,
    );
    return rows[0].is_visible;
  });
  await owner.end();
}

test('enrollments of a large journey are counted and ended in chunks by a covering index', {
  skip,
}, async () => {
  const journeys = Array.from({ length: 10 }, () => randomUUID());
  const [journeyId = ''] = journeys;
  await sql`
    insert into journey_states (tenant_id, id, target_id, state, due_at, attempts, lane, owner_bu_id, version, created_at,
      journey_version, subscriber_id, entry, status, current_step, arrived_at, history, steps_taken, mails, hears, heard)
    select ${tenantId}::uuid, gen_random_uuid(), (${journeys}::uuid[])[1 + n % 10], 'pending', now() + interval '1 day', 0, 'steps',
      gen_random_uuid(), 1, now() - n * interval '1 second', 1, gen_random_uuid(), 1,
      case when n / 10 % 2 = 0 then 'completed' else 'active' end, 'day', now(), '[]', 0, '{}', '{}', '{}'
    from generate_series(1, 50000) n`.execute(query);
  await vacuum();
  const planOf = async (conditions: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select ${conditions}`.execute(query);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const own = sql`tenant_id = ${sql.lit(tenantId)}::uuid and target_id = ${sql.lit(journeyId)}::uuid`;
  for (const condition of [sql`status = 'completed'`, sql`current_step = 'day'`])
    assert.match(
      await planOf(sql`count(*) from journey_states where ${own} and ${condition}`),
      /Index Only Scan using journey_states_newest/,
    );
  const batchPlan = await planOf(
    sql`id from journey_states where ${own} and status = 'active' order by id limit 2000`,
  );
  assert.match(batchPlan, /Index (Only )?Scan using journey_states_ending/);
  assert.doesNotMatch(batchPlan, /Sort/);
});
