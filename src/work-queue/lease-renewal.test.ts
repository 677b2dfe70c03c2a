import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import pg from 'pg';
import { type DeliveryState, insertDelivery } from '../../test/harness/delivery-rows.ts';
import { eventually } from '../../test/harness/poll.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import type { Observation } from '../observe/observation.ts';
import type { Platform } from '../platform.ts';
import { FairQueue } from './fair-queue.ts';
import { QueueWorker } from './queue-worker.ts';
import type { Outcome, WorkQueueDefinition } from './work-queue.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

/** A process whose own workers do not run, so that the tests can use the table of a real work queue. */
const app = await startTestApp({ ROLE: 'api' });
const { platform } = app.app;
const { database } = platform;
const isEmbedded = database.kind === 'embedded' && 'the embedded database has one process and one connection';
const HOUR_MS = 3_600_000;

const insertRow = (state?: DeliveryState) => insertDelivery(database, state);

function rowOf(id: string) {
  const { query } = database.everyTenant('tests');
  return query.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function changeRow(id: string, { dueAt, claimId }: DeliveryState): Promise<void> {
  await database
    .everyTenant('tests')
    .query.updateTable('webhook_deliveries')
    .set({ ...(dueAt && { due_at: dueAt }), ...(claimId && { claim_id: claimId }) })
    .where('id', '=', id)
    .execute();
}

const isDone = (id: string) => async () => (await rowOf(id)).state === 'success';

/** Waits until the lease of a row has been renewed; returns its new end. */
function renewed(id: string): Promise<string> {
  let first: string | undefined;
  return eventually('a renewal', async () => {
    const { due_at, claim_id } = await rowOf(id);
    if (claim_id === null) return null;
    first ??= due_at;
    return due_at > first && due_at;
  });
}

type Part = Partial<WorkQueueDefinition<true>>;

/** Starts a worker with short leases; the test stops it. */
function startWorker(part: Part, on: Platform = platform): QueueWorker<true> {
  const worker = new QueueWorker<true>(on, {
    name: 'test',
    table: 'webhook_deliveries',
    concurrency: 8,
    concurrencyPerTarget: 4,
    concurrencyPerTenant: 8,
    dueTimes: { longestWaitSeconds: () => 60 },
    leaseSeconds: 1,
    load: (_platform, claims) => new Map(claims.map(({ id }) => [id, true])),
    attempt: async () => ({ kind: 'success' }),
    ...part,
  });
  worker.start();
  return worker;
}

/** An attempt that ends when the test lets it end, and the ids that it was made for. */
function heldAttempt() {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const ids: string[] = [];
  const attempt: WorkQueueDefinition<true>['attempt'] = (_platform, { id }) => {
    ids.push(id);
    return promise;
  };
  return { ids, attempt, end: () => resolve({ kind: 'success' }) };
}

/** Returns a platform that reports to `seen` and cannot renew leases. */
function withoutRenewal(seen: Observation[] = []): Platform {
  const reserved: typeof database.reserved = {
    ...database.reserved,
    everyTenant: () => {
      throw new Error('no connection');
    },
  };
  return { ...platform, database: { ...database, reserved }, observe: (each) => void seen.push(each) };
}

test('an attempt that takes longer than a lease is made once while its worker lives', async () => {
  const { ids, attempt, end } = heldAttempt();
  const id = await insertRow();
  // It outlasts the pauses of a process on a busy machine, after which the other worker may take over.
  const leaseSeconds = 5;
  const workers = [startWorker({ attempt, leaseSeconds }), startWorker({ attempt, leaseSeconds })];
  try {
    const { claim_id: claimId } = await eventually('the claim', async () => {
      const row = await rowOf(id);
      return row.claim_id !== null && row;
    });
    // Five renewals are later than the end of the first lease.
    for (let nth = 0; nth < 5; nth += 1) await renewed(id);
    assert.equal((await rowOf(id)).claim_id, claimId);
    end();
    await eventually('the row', isDone(id));
  } finally {
    end();
    for (const worker of workers) await worker.stop();
  }
  assert.deepEqual(ids, [id]);
  const { attempts, claim_id } = await rowOf(id);
  assert.deepEqual([attempts, claim_id], [1, null]);
});

test('a worker that cannot renew its lease loses the row, and its outcome changes nothing', async () => {
  const first = heldAttempt();
  const second = heldAttempt();
  const id = await insertRow();
  const hanging = startWorker({ attempt: first.attempt }, withoutRenewal());
  let other: QueueWorker<true> | undefined;
  try {
    await eventually('the first attempt', () => first.ids.length === 1);
    other = startWorker({ attempt: second.attempt });
    // Nobody may take over the row before the lease ends; the embedded database behaves like a server here.
    await eventually('the second attempt', () => second.ids.length === 1);
    const { claim_id: claimId } = await rowOf(id);
    first.end();
    await hanging.stop();
    const { state, claim_id } = await rowOf(id);
    assert.deepEqual([state, claim_id], ['pending', claimId]);
    second.end();
    await eventually('the row', isDone(id));
    assert.equal((await rowOf(id)).attempts, 1);
  } finally {
    first.end();
    second.end();
    await hanging.stop();
    await other?.stop();
  }
});

test('a worker reports rows that another one has claimed, and does not renew their leases', async () => {
  const { ids, attempt, end } = heldAttempt();
  const seen: Observation[] = [];
  const id = await insertRow();
  const worker = startWorker({ attempt }, { ...platform, observe: (each) => void seen.push(each) });
  const [dueAt, claimId] = [new Date(Date.now() + HOUR_MS), randomUUID()];
  try {
    await eventually('the attempt', () => ids.length === 1);
    await changeRow(id, { dueAt, claimId });
    await eventually('the report', () => seen.some(({ event }) => event === 'work_queue.lost'));
  } finally {
    end();
    await worker.stop();
  }
  const row = await rowOf(id);
  assert.deepEqual([row.state, row.due_at, row.claim_id], ['pending', dueAt.toISOString(), claimId]);
});

test('rows that wait for a slot are not attempted when another worker has claimed them', async () => {
  const queue = new FairQueue({ total: 1, perTarget: 1 });
  queue.open(0);
  const { ids, attempt, end } = heldAttempt();
  end();
  const seen: Observation[] = [];
  const id = await insertRow();
  const gate = { queue: () => queue, lane: 0, maxWaitMs: 60_000 };
  const worker = startWorker({ attempt, gate }, { ...platform, observe: (each) => void seen.push(each) });
  try {
    await renewed(id);
    await changeRow(id, { dueAt: new Date(Date.now() + HOUR_MS), claimId: randomUUID() });
    await eventually('the report', () => seen.some(({ event }) => event === 'work_queue.lost'));
    queue.open(1);
    await eventually('the end', () =>
      seen.some((each) => each.event === 'work_queue.acknowledged' && each.outcome === 'abandoned'),
    );
  } finally {
    await worker.stop();
  }
  assert.deepEqual(ids, []);
});

test('a worker continues its attempt when the lease ended and nobody has claimed the row', async () => {
  const { ids, attempt, end } = heldAttempt();
  const id = await insertRow();
  // The clock of the database decides, so this lease ends as if the clock was set forward.
  const worker = startWorker({ attempt }, withoutRenewal());
  try {
    await eventually('the attempt', () => ids.length === 1);
    const { claim_id: claimId } = await rowOf(id);
    await changeRow(id, { dueAt: new Date(0) });
    await eventually('the next claim', async () => (await rowOf(id)).claim_id !== claimId);
    end();
    await eventually('the row', isDone(id));
  } finally {
    end();
    await worker.stop();
  }
  assert.deepEqual(ids, [id]);
});

test('a lease ends by the clock of the database, and a waiting row is due by that of the process', async () => {
  const { ids, attempt, end } = heldAttempt();
  end();
  const leased = await insertRow({ dueAt: new Date(Date.now() + HOUR_MS / 2), claimId: randomUUID() });
  const waiting = await insertRow({ dueAt: new Date(Date.now() + HOUR_MS / 2) });
  const worker = startWorker({ attempt }, { ...platform, clock: () => new Date(Date.now() + HOUR_MS) });
  try {
    await eventually('the waiting row', isDone(waiting));
  } finally {
    await worker.stop();
  }
  assert.ok(!ids.includes(leased));
});

test('leases are renewed while all connections of the pool are in use', { skip: isEmbedded }, async () => {
  const { ids, attempt, end } = heldAttempt();
  const id = await insertRow();
  const worker = startWorker({ attempt });
  const release = Promise.withResolvers<void>();
  const client = new pg.Client({ connectionString: app.database.env.DATABASE_URL });
  await client.connect();
  const { tenant_id } = await rowOf(id);
  const dueAt = async () => {
    const { rows } = await client.query(
      'select due_at from webhook_deliveries where tenant_id = $1 and id = $2',
      [tenant_id, id],
    );
    return new Date(rows[0].due_at).getTime();
  };
  try {
    await eventually('the attempt', () => ids.length === 1);
    const inUse = Array.from({ length: 20 }, () =>
      database
        .everyTenant('tests')
        .transaction(() => release.promise)
        .catch(() => {}),
    );
    for (let nth = 0; nth < 5; nth += 1) {
      const before = await dueAt();
      await eventually('a renewal', async () => (await dueAt()) > before);
    }
    release.resolve();
    await Promise.all(inUse);
    end();
    await eventually('the row', isDone(id));
  } finally {
    release.resolve();
    end();
    await client.end();
    await worker.stop();
  }
  assert.deepEqual(ids, [id]);
});

test('a stopping worker returns rows that it has not attempted', async () => {
  const queue = new FairQueue({ total: 1, perTarget: 1 });
  queue.open(0);
  const { ids, attempt, end } = heldAttempt();
  end();
  const id = await insertRow();
  const worker = startWorker({ attempt, gate: { queue: () => queue, lane: 0, maxWaitMs: HOUR_MS } });
  await eventually('the claim', async () => (await rowOf(id)).claim_id !== null);
  await worker.stop();
  const { state, claim_id, due_at } = await rowOf(id);
  assert.deepEqual([state, claim_id, new Date(due_at) <= new Date()], ['pending', null, true]);
  assert.deepEqual(ids, []);
});
