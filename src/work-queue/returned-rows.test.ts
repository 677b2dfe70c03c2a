import assert from 'node:assert/strict';
import test from 'node:test';
import { insertDeliveries, insertDelivery } from '../../test/harness/delivery-rows.ts';
import { eventually } from '../../test/harness/poll.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { QueueWorker } from './queue-worker.ts';
import type { WorkQueueDefinition } from './work-queue.ts';

export const runsOn = ['embedded', 'server'];

interface Row {
  readonly last_error: string | null;
  readonly left_out: number;
}

/** A process whose own workers do not run, so that the tests can use the table of a real work queue. */
const app = await startTestApp({ ROLE: 'api' });
const { database } = app.app.platform;

async function rowOf(id: string) {
  const { query } = database.everyTenant('tests');
  return query.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Works the table until these rows have succeeded. */
async function work(part: Pick<WorkQueueDefinition<Row, undefined, Row>, 'attempt'>, ids: readonly string[]) {
  const worker = new QueueWorker<Row, undefined, Row>(app.app.platform, {
    name: 'test',
    table: 'webhook_deliveries',
    columns: ['last_error'],
    largeColumns: ['last_error'],
    concurrency: 8,
    concurrencyPerTarget: 4,
    concurrencyPerTenant: 8,
    dueTimes: { longestWaitSeconds: () => 60 },
    // An abandoned attempt is not repeated in this test.
    leaseSeconds: 3600,
    load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
    ...part,
  });
  worker.start();
  try {
    await eventually('the rows', async () => {
      const rows = await Promise.all(ids.map(rowOf));
      return rows.every(({ state }) => state === 'success');
    });
  } finally {
    await worker.stop();
  }
}

test('a row without memory for its attempt is due again immediately, and no attempt is counted', async () => {
  const id = await insertDelivery(database);
  const outcomes = ['returned', 'returned', 'success'] as const;
  let tries = 0;
  await work({ attempt: async () => ({ kind: outcomes[tries++] ?? 'success' }) }, [id]);
  assert.equal(tries, outcomes.length);
  const { attempts, faults } = await rowOf(id);
  assert.deepEqual([attempts, faults], [1, 0]);
});

test('a claim includes large columns only while they are small, and returns the size omitted', async () => {
  const texts = [null, 'ä', 'x'.repeat(4096), 'ä'.repeat(2049)];
  const ids = await insertDeliveries(
    database,
    texts.map((lastError) => ({ lastError })),
  );
  const seen = new Map<string, Row>();
  const attempt = async (_platform: unknown, { id }: { id: string }, row: Row) => {
    seen.set(id, row);
    return { kind: 'success' } as const;
  };
  await work({ attempt }, ids);
  assert.deepEqual(
    ids.map((id) => [seen.get(id)?.last_error, seen.get(id)?.left_out]),
    [
      [null, 0],
      ['ä', 0],
      ['x'.repeat(4096), 0],
      [null, 4098],
    ],
  );
});
