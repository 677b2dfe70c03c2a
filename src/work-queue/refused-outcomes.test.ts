/** Outcomes that the database refuses: they delay no other row, are counted, and no row is retried for ever. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { insertDeliveries } from '../../test/harness/delivery-rows.ts';
import { eventually } from '../../test/harness/poll.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { QueueWorker } from './queue-worker.ts';
import type { WorkQueueDefinition } from './work-queue.ts';
import { acknowledgeRows as acknowledgeAll } from './work-queue-queries.ts';

export const runsOn = ['embedded', 'server'];

type Acknowledge = NonNullable<WorkQueueDefinition<true>['acknowledge']>;

const TABLE = 'webhook_deliveries';
/** A process whose own workers do not run, so that the tests can use the table of a real work queue. */
const app = await startTestApp({ ROLE: 'api' });
const { database } = app.app.platform;
const { query } = database.everyTenant('tests');

/** Inserts due rows, each for a target of its own. */
function insertRows(count: number): Promise<string[]> {
  return insertDeliveries(
    database,
    Array.from({ length: count }, () => ({})),
  );
}

function rowsOf(ids: readonly string[]) {
  return query
    .selectFrom(TABLE)
    .select(['state', 'attempts', 'last_error'])
    .where('id', 'in', [...ids])
    .execute();
}

/** Works the table until `isDone`; all rows are then acknowledged or abandoned. */
async function working(acknowledge: Acknowledge, isDone: () => Promise<boolean>): Promise<void> {
  const worker = new QueueWorker<true>(app.app.platform, {
    name: 'test',
    table: TABLE,
    concurrency: 64,
    concurrencyPerTarget: 4,
    concurrencyPerTenant: 64,
    dueTimes: { longestWaitSeconds: () => 60 },
    leaseSeconds: 60,
    load: (_platform, claims) => new Map(claims.map(({ id }) => [id, true as const])),
    attempt: async () => ({ kind: 'success' }),
    acknowledge,
  });
  worker.start();
  try {
    await eventually('the work queue', isDone, 30_000);
  } finally {
    await worker.stop();
  }
}

/** Returns a `acknowledge` whose outcomes for some rows the database refuses; it records outcomes written alone. */
function refusing(id: string, kinds: readonly string[], alone: string[]): Acknowledge {
  return async (all, acks) => {
    if (acks.length === 1) alone.push(acks[0]?.claim.id ?? '');
    if (acks.some(({ claim, outcome }) => claim.id === id && kinds.includes(outcome.kind)))
      await all.raw(sql`select 'x'::json`);
    await acknowledgeAll(all, TABLE, acks);
  };
}

test('an outcome that the database refuses delays no other, and counts as a broken attempt', async () => {
  const ids = await insertRows(20);
  const [refused = '', ...others] = ids;
  const alone: string[] = [];
  const acknowledge = refusing(refused, ['success'], alone);
  await working(acknowledge, async () => {
    const rows = await rowsOf(others);
    return alone.length >= 21 && rows.every(({ state }) => state === 'success');
  });
  const [row] = await rowsOf([refused]);
  assert.deepEqual([row?.state, row?.attempts], ['pending', 1]);
  assert.match(row?.last_error ?? '', /invalid input syntax/);
  assert.equal(alone.filter((id) => id === refused).length, 2);
});

test('a row whose every outcome the database refuses counts its attempts and fails at the eighth', async () => {
  const [refused = ''] = await insertRows(1);
  const alone: string[] = [];
  let tried = 0;
  await working(refusing(refused, ['success', 'retry', 'failed'], alone), async () => {
    const [row] = await rowsOf([refused]);
    if (row === undefined || row.attempts === tried) return false;
    tried = row.attempts;
    assert.match(row.last_error ?? '', /rejected the outcome \(22P02\)/);
    if (row.state === 'failed') return true;
    await sql`update webhook_deliveries set due_at = ${new Date()} where id = ${refused}`.execute(query);
    return false;
  });
  assert.equal(tried, 8);
  // Two refusals per try; the lease that the test ended adds a try.
  assert.ok(alone.length >= 16, `${alone.length}`);
});

test('an outcome that breaks its acknowledge function delays no other, and counts as a broken attempt', async () => {
  const [breaking = '', ...others] = await insertRows(20);
  const acknowledge: Acknowledge = async (all, acks) => {
    const breaks = acks.some(({ claim, outcome }) => claim.id === breaking && outcome.kind === 'success');
    if (breaks) throw new RangeError('Invalid string length');
    await acknowledgeAll(all, TABLE, acks);
  };
  await working(acknowledge, async () => {
    const [row] = await rowsOf([breaking]);
    const rows = await rowsOf(others);
    return row?.attempts === 1 && rows.every(({ state }) => state === 'success');
  });
  const [row] = await rowsOf([breaking]);
  assert.deepEqual([row?.state, row?.attempts], ['pending', 1]);
  assert.match(row?.last_error ?? '', /Invalid string length/);
});
