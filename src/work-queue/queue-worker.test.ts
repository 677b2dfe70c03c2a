import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { insertDeliveries } from '../../test/harness/delivery-rows.ts';
import { eventually } from '../../test/harness/poll.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { databaseKind } from '../../test/harness/test-database.ts';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { HttpResult } from './http-work-queue.ts';
import { QueueWorker } from './queue-worker.ts';
import type { Ack, Outcome as QueueItemOutcome, WorkQueueDefinition } from './work-queue.ts';
import { acknowledgeRows as acknowledgeAll, recallRows } from './work-queue-queries.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

type Outcome = QueueItemOutcome<HttpResult>;
type Definition = WorkQueueDefinition<true, HttpResult>;

const SUCCESS: Outcome = { kind: 'success', result: { last_status_code: 200 } };

/** A process whose own workers do not run, so that the tests can use the table of a real work queue. */
const app = await startTestApp({ ROLE: 'api' });

/** Inserts due rows, each for a target of its own unless one is given. */
function insertRows(count: number, target?: { tenantId: string; targetId: string }) {
  const dueAt = (index: number) => new Date(Date.now() - 1000 + index);
  return insertDeliveries(
    app.app.platform.database,
    Array.from({ length: count }, (_, index) => ({ ...target, dueAt: dueAt(index) })),
  );
}

async function rowsOf(ids: readonly string[]) {
  return app.app.platform.database
    .everyTenant('tests')
    .query.selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('due_at')
    .execute();
}

function workQueueOf(part: Partial<Definition>): Definition {
  return {
    name: 'test',
    table: 'webhook_deliveries',
    concurrency: 64,
    concurrencyPerTarget: 4,
    concurrencyPerTenant: 64,
    dueTimes: { longestWaitSeconds: () => 60 },
    load: async (_platform, claims) => new Map(claims.map((claim) => [claim.id, true as const])),
    attempt: async () => SUCCESS,
    acknowledge: acknowledgeRows,
    ...part,
  };
}

function acknowledgeRows(all: EveryTenantDb, acks: readonly Ack<HttpResult>[]) {
  return acknowledgeAll(all, 'webhook_deliveries', acks, { last_status_code: null });
}

/** Runs workers until `isDone`, then stops them and empties the table. */
async function working(
  part: Partial<Definition>,
  isDone: () => Promise<boolean> | boolean,
  { workers: count = 1, wake = false, platform = app.app.platform } = {},
) {
  const workQueue = workQueueOf(part);
  const workers = Array.from({ length: count }, () => new QueueWorker(platform, workQueue));
  for (const worker of workers) worker.start();
  if (wake) for (const worker of workers) worker.wake();
  try {
    await eventually('the work queue', isDone);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

const allIn = (ids: readonly string[], state: string) => async () =>
  (await rowsOf(ids)).filter((row) => row.state === state).length === ids.length;

test('attempts every due row exactly once when two workers share the table', async () => {
  const ids = await insertRows(300);
  const attempted = new Map<string, number>();
  const attempt = async (_platform: unknown, { id }: { id: string }) => {
    attempted.set(id, (attempted.get(id) ?? 0) + 1);
    return SUCCESS;
  };
  await working({ attempt }, allIn(ids, 'success'), { workers: 2 });
  assert.equal(attempted.size, 300);
  assert.deepEqual(new Set(attempted.values()), new Set([1]));
});

test('reaches a target beyond many that never answer', async () => {
  const tenantId = '00000000-0000-7000-8000-000000000001';
  const slow = await Promise.all(
    Array.from({ length: 4 }, () => insertRows(50, { tenantId, targetId: randomUUID() })),
  );
  const [quick = ''] = await insertRows(1);
  const release = Promise.withResolvers<void>();
  const attempt = async (_platform: unknown, { id }: { id: string }): Promise<Outcome> => {
    if (id !== quick) await release.promise;
    return SUCCESS;
  };
  await working({ attempt, concurrency: 16, concurrencyPerTenant: 12 }, async () => {
    const isDone = await allIn([quick], 'success')();
    if (isDone) release.resolve();
    return isDone;
  });
  assert.ok((await rowsOf(slow.flat())).some((row) => row.state === 'pending'));
  await removeAll();
});

test('serves more targets than fit into one claim in turn, so that none starves', async () => {
  const backlog = await Promise.all(
    Array.from({ length: 6 }, () => insertRows(20, { tenantId: randomUUID(), targetId: randomUUID() })),
  );
  const order: string[] = [];
  const attempt = async (_platform: unknown, { targetId }: { targetId: string }) => {
    order.push(targetId);
    return SUCCESS;
  };
  await working({ attempt, concurrency: 2, concurrencyPerTarget: 2 }, allIn(backlog.flat(), 'success'));
  // Targets take turns: six claims of two rows serve each of the six targets.
  assert.equal(new Set(order.slice(0, 12)).size, 6);
});

test('attempts a row again after its lease when the worker that claimed it has died', async () => {
  const [id = ''] = await insertRows(1);
  await sql`update webhook_deliveries set due_at = ${new Date(Date.now() + 400)}, claim_id = ${randomUUID()}
    where id = ${id}`.execute(app.app.platform.database.everyTenant('tests').query);
  await working({}, allIn([id], 'success'));
});

test('a recall keeps live leases, and moves other rows to the latest time that the rules allow', async () => {
  const ids = await insertRows(5);
  const [leased = '', stale = '', early = '', waiting = '', tooLate = ''] = ids;
  const { platform } = app.app;
  const now = new Date();
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const set = (id: string, seconds: number, attempts: number, claimId: string | null = null) =>
    sql`update webhook_deliveries set due_at = ${after(seconds)}, attempts = ${attempts}, claim_id = ${claimId}
      where id = ${id}`.execute(platform.database.everyTenant('tests').query);
  await set(leased, 60, 0, randomUUID());
  await set(stale, 9000, 0, randomUUID());
  await set(early, 9000, 0);
  await set(waiting, 200, 2);
  await set(tooLate, 9000, 2);
  const workQueue = workQueueOf({
    dueTimes: { longestWaitSeconds: (_platform, attempts) => attempts * 150 },
  });
  await recallRows(platform, workQueue, now, 70);
  const dueAt = new Map((await rowsOf(ids)).map((row) => [row.id, row.due_at]));
  const leaseEnd = new Date(dueAt.get(stale) ?? 0);
  assert.ok(leaseEnd >= after(70) && leaseEnd < after(700), 'the lease of a dead process ends');
  const expected = { [leased]: 60, [early]: 0, [waiting]: 200, [tooLate]: 300 };
  for (const [id, seconds] of Object.entries(expected))
    assert.equal(dueAt.get(id), after(seconds).toISOString(), `${seconds} s`);
  await removeAll();
});

test('changes nothing if another worker has claimed the row before it acknowledged', async () => {
  const [id = ''] = await insertRows(1);
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const attempt = async (): Promise<Outcome> => {
    begun.resolve();
    await release.promise;
    return SUCCESS;
  };
  const later = new Date(Date.now() + 3_600_000);
  const claimId = randomUUID();
  const worker = new QueueWorker(app.app.platform, workQueueOf({ attempt }));
  worker.start();
  await begun.promise;
  await sql`update webhook_deliveries set due_at = ${later}, claim_id = ${claimId} where id = ${id}`.execute(
    app.app.platform.database.everyTenant('tests').query,
  );
  release.resolve();
  await worker.stop();
  const [row] = await rowsOf([id]);
  const expected = ['pending', 0, later.toISOString(), claimId];
  assert.deepEqual([row?.state, row?.attempts, row?.due_at, row?.claim_id], expected);
  await removeAll();
});

test('finishes attempts under way before it stops', async () => {
  const ids = await insertRows(3);
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let attempts = 0;
  const attempt = async (): Promise<Outcome> => {
    attempts += 1;
    // A stopping worker returns rows whose attempt has not begun.
    if (attempts === ids.length) begun.resolve();
    await release.promise;
    return SUCCESS;
  };
  const worker = new QueueWorker(app.app.platform, workQueueOf({ attempt }));
  worker.start();
  await begun.promise;
  const stopped = worker.stop();
  release.resolve();
  await stopped;
  assert.ok(await allIn(ids, 'success')());
});

test('writes the outcomes of a batch: retried with its due time, failed, dropped', async () => {
  const [retried = '', failed = '', dropped = '', unwanted = ''] = await insertRows(4);
  const dueAt = new Date(Date.now() + 3_600_000);
  const outcomes = new Map<string, Outcome>([
    [retried, { kind: 'retry', error: 'broken', dueAt, result: { last_status_code: 500 } }],
    [failed, { kind: 'failed', error: 'refused' }],
    [dropped, { kind: 'drop' }],
  ]);
  await working(
    {
      load: async (_platform, claims) =>
        new Map(claims.filter(({ id }) => id !== unwanted).map(({ id }) => [id, true as const])),
      attempt: async (_platform, { id }) => outcomes.get(id) ?? SUCCESS,
    },
    async () => (await rowsOf([retried, failed, dropped, unwanted])).every((row) => row.attempts === 1),
  );
  const rows = await rowsOf([retried, failed, dropped, unwanted]);
  assert.deepEqual(
    rows.map((row) => [row.id, row.state, row.attempts, row.last_status_code, row.last_error]),
    [
      [failed, 'failed', 1, null, 'refused'],
      [retried, 'pending', 1, 500, 'broken'],
    ],
  );
  assert.equal(rows[1]?.due_at, dueAt.toISOString());
  await removeAll();
});

test('finds the rows that it acknowledges by their keys, also in a large table that was never analysed', async () => {
  const all = app.app.platform.database.everyTenant('tests');
  const claimId = randomUUID();
  const { rows } = await all.raw(sql<{ tenant_id: string; id: string }>`
    insert into webhook_deliveries (tenant_id, id, target_id, submission_id, state, due_at, claim_id, attempts, created_at)
    select ${randomUUID()}::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'pending',
      date_trunc('second', now()) + n * interval '1 second', ${claimId}::uuid, 0, now()
    from generate_series(1, 20000) n returning tenant_id, id`);
  const acks = rows.slice(0, 300).map(({ tenant_id, id }) => {
    const claim = {
      tenantId: tenant_id,
      id,
      targetId: id,
      attempts: 0,
      faults: 0,
      row: {},
      claimId,
      claimedAt: 0,
    };
    return {
      claim,
      outcome: { kind: 'success', result: { last_status_code: 200 } },
      at: new Date(),
    } as const;
  });
  const startedAt = performance.now();
  await all.byTenant(acks, ({ claim }) => claim.tenantId, acknowledgeRows);
  // Reading all rows for each claim takes more than seven seconds. Cluster nodes plan by their own statistics only.
  assert.ok(databaseKind() === 'cluster' || performance.now() - startedAt < 2000);
  assert.ok(
    await allIn(
      acks.map(({ claim }) => claim.id),
      'success',
    )(),
  );
  await removeAll();
});

test('retries outcomes until they can be written', async () => {
  const ids = await insertRows(3);
  let failures = 2;
  const acknowledge: typeof acknowledgeRows = async (query, acks) => {
    failures -= 1;
    if (failures >= 0) throw new Error('the database is away');
    await acknowledgeRows(query, acks);
  };
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    return SUCCESS;
  };
  await working({ attempt, acknowledge }, allIn(ids, 'success'));
  assert.equal(attempts, 3);
});

test('claims a limited number of rows while outcomes cannot be written', async () => {
  const ids = await insertRows(200, { tenantId: randomUUID(), targetId: randomUUID() });
  let attempts = 0;
  let failures = 0;
  let attemptsBefore: number | undefined;
  const attempt = async () => {
    attempts += 1;
    return SUCCESS;
  };
  const acknowledge: typeof acknowledgeRows = async (all, acks) => {
    failures += 1;
    if (failures <= 3) throw new Error('a fault of ours');
    attemptsBefore ??= attempts;
    await acknowledgeRows(all, acks);
  };
  await working({ attempt, acknowledge, concurrency: 4 }, allIn(ids, 'success'));
  // Eight times the slots, plus the rows of one more claim.
  assert.ok(attemptsBefore !== undefined && attemptsBefore <= 48, `${attemptsBefore} attempts`);
});

test('stops although outcomes cannot be written, and the lease keeps the row', async () => {
  const [id = ''] = await insertRows(1);
  const tried = Promise.withResolvers<void>();
  const acknowledge = async () => {
    tried.resolve();
    throw new Error('the database is away');
  };
  await working({ acknowledge }, () => tried.promise.then(() => true));
  assert.equal((await rowsOf([id]))[0]?.state, 'pending');
  await removeAll();
});

test('continues after rows could not be loaded, once their lease has ended, and after an attempt threw', async () => {
  const ids = await insertRows(2);
  const { database } = app.app.platform;
  let isAway = false;
  const everyTenant: typeof database.everyTenant = (use) => {
    if (!isAway) return database.everyTenant(use);
    isAway = false;
    throw new Error('the database is away');
  };
  const platform = { ...app.app.platform, database: { ...database, everyTenant } };
  let loads = 0;
  let attempts = 0;
  // On a busy machine an outcome may be acknowledged after the lease ended, and the attempt is repeated.
  await working(
    {
      leaseSeconds: 0.2,
      load: async (_platform, claims) => {
        loads += 1;
        isAway = loads === 3;
        if (loads <= 3) throw new Error('the database is away');
        return new Map(claims.map((claim) => [claim.id, true as const]));
      },
      attempt: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('a fault of ours');
        return SUCCESS;
      },
    },
    allIn(ids, 'success'),
    { platform },
  );
  assert.ok(loads > 3 && attempts >= 3);
  const counted = (await rowsOf(ids)).map((row) => row.attempts);
  assert.ok(Math.max(...counted) <= 2, 'what the database was away for is not counted');
});

test('an attempt that throws counts, waits longer each time, and fails at the eighth', async () => {
  const [id = ''] = await insertRows(1);
  const attempt = async () => {
    throw new Error('a fault of ours');
  };
  const waits: { atMost: number; atLeast: number }[] = [];
  let madeDue = Date.now();
  await working({ attempt }, async () => {
    const [row] = await rowsOf([id]);
    if (row === undefined || row.attempts === waits.length) return false;
    assert.match(row.last_error ?? '', /a fault of ours/);
    assert.equal(row.last_status_code, null);
    if (row.state === 'failed') return true;
    assert.equal(row.attempts, waits.length + 1);
    waits.push({ atMost: Date.parse(row.due_at) - madeDue, atLeast: Date.parse(row.due_at) - Date.now() });
    madeDue = Date.now();
    const { query } = app.app.platform.database.everyTenant('tests');
    await sql`update webhook_deliveries set due_at = ${new Date(madeDue)} where id = ${id}`.execute(query);
    return false;
  });
  assert.equal((await rowsOf([id]))[0]?.attempts, 8);
  for (const [index, { atMost, atLeast }] of waits.entries()) {
    const expected = 5000 * 3 ** index;
    assert.ok(atLeast <= expected && atMost >= expected, `${atLeast} to ${atMost} ms, number ${index}`);
  }
  assert.equal(waits.length, 7);
  await removeAll();
});

test('only broken attempts count towards the eight, not other attempts of the row', async () => {
  const [id = ''] = await insertRows(1);
  const everyTenant = app.app.platform.database.everyTenant('tests').query;
  await sql`update webhook_deliveries set attempts = 7 where id = ${id}`.execute(everyTenant);
  const attempt = () => Promise.reject(new Error('a fault of ours'));
  await working({ attempt }, async () => (await rowsOf([id]))[0]?.attempts === 8);
  const [row] = await rowsOf([id]);
  assert.deepEqual([row?.state, row?.faults], ['pending', 1]);
  const wait = new Date(row?.due_at ?? 0).getTime() - Date.now();
  assert.ok(wait <= 5000, `again in ${wait} ms`);
  await removeAll();
});

test('a row whose work cannot be loaded delays no other, and counts as a broken attempt', async () => {
  const ids = await insertRows(5);
  const [poison = '', ...others] = ids;
  const load: Definition['load'] = async (_platform, claims) => {
    if (claims.some(({ id }) => id === poison)) throw new Error('unreadable');
    return new Map(claims.map(({ id }) => [id, true as const]));
  };
  await working({ load }, async () => {
    return (await allIn(others, 'success')()) && (await rowsOf([poison]))[0]?.attempts === 1;
  });
  const [row] = await rowsOf([poison]);
  assert.equal(row?.state, 'pending');
  assert.match(row?.last_error ?? '', /unreadable/);
  await removeAll();
});

test('a row whose work cannot be loaded counts also when it is alone', async () => {
  const [id = ''] = await insertRows(1);
  const load = () => Promise.reject(new Error('unreadable'));
  await working({ load }, async () => (await rowsOf([id]))[0]?.attempts === 1);
  assert.match((await rowsOf([id]))[0]?.last_error ?? '', /unreadable/);
  await removeAll();
});

test('a tenant whose attempts never end delays no other tenant with the same target', async () => {
  const targetId = randomUUID();
  const [slow, quick] = [randomUUID(), randomUUID()];
  await insertRows(2, { tenantId: slow, targetId });
  const ids = await insertRows(1, { tenantId: quick, targetId });
  const release = Promise.withResolvers<void>();
  const attempt: Definition['attempt'] = async (_platform, { tenantId }) => {
    if (tenantId === slow) await release.promise;
    return SUCCESS;
  };
  await working({ attempt, concurrencyPerTarget: 1 }, async () => {
    const isDone = await allIn(ids, 'success')();
    if (isDone) release.resolve();
    return isDone;
  });
  await removeAll();
});

test('continues after the database has ended every connection', async (t) => {
  const url = app.database.env.DATABASE_URL;
  if (url === undefined) return t.skip('the embedded database cannot go away alone');
  const first = await insertRows(1);
  let second: string[] = [];
  await working({}, async () => {
    if (!(await allIn(first, 'success')())) return false;
    if (second.length === 0) {
      await endConnections(url);
      second = await eventually('a connection', () => insertRows(1).catch(() => null));
    }
    return allIn(second, 'success')().catch(() => false);
  });
});

async function endConnections(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

async function removeAll() {
  await app.app.platform.database.everyTenant('tests').query.deleteFrom('webhook_deliveries').execute();
}
