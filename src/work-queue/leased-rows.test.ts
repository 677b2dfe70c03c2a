import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { insertDelivery } from '../../test/harness/delivery-rows.ts';
import { eventually } from '../../test/harness/poll.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import type { NewClaim, Target } from './claim.ts';
import { QueueWorker } from './queue-worker.ts';
import type { WorkQueueDefinition } from './work-queue.ts';

export const runsOn = ['embedded', 'server'];

/** A process whose own workers do not run, so that the tests can use the table of a real work queue. */
const app = await startTestApp({ ROLE: 'api' });
const { database } = app.app.platform;
const { query } = database.everyTenant('tests');

const newTarget = (): Target => ({ tenantId: randomUUID(), targetId: randomUUID() });

const insertRow = (target: Target, dueAt: Date, claimId: string | null = null) =>
  insertDelivery(database, { ...target, dueAt, claimId });

/** Inserts a row with a claim, as a feature does. */
function insertClaimed(target: Target, { claimId, leaseSeconds }: NewClaim): Promise<string> {
  return insertRow(target, new Date(Date.now() + leaseSeconds * 1000), claimId);
}

async function rowOf(id: string) {
  return query.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst();
}

const isDone = (id: string) => async () => (await rowOf(id))?.state === 'success';

type Part = Partial<WorkQueueDefinition<true>>;

function createWorker(part: Part, platform = app.app.platform): QueueWorker<true> {
  return new QueueWorker<true>(platform, {
    name: 'test',
    table: 'webhook_deliveries',
    concurrency: 8,
    concurrencyPerTarget: 4,
    concurrencyPerTenant: 8,
    dueTimes: { longestWaitSeconds: () => 60 },
    leaseSeconds: 3600,
    load: (_platform, claims) => new Map(claims.map(({ id }) => [id, true])),
    attempt: async () => ({ kind: 'success' }),
    ...part,
  });
}

const claimOf = ({ tenantId, targetId }: Target, id: string, { claimId, claimedAt }: NewClaim) => ({
  ...{ tenantId, id, targetId, attempts: 0, faults: 0, claimId, claimedAt, row: null },
});

test('a row created with a claim of this process is attempted without a poll', async () => {
  const target = newTarget();
  const worker = createWorker({});
  const claim = worker.claimFor(target);
  assert.ok(claim);
  const id = await insertClaimed(target, claim);
  worker.begin([claimOf(target, id, claim)]);
  await eventually('the row', isDone(id));
  assert.equal((await rowOf(id))?.attempts, 1);
});

test('a row whose process ended before it began is attempted by another process after the lease', async () => {
  const target = newTarget();
  const claim = createWorker({ leaseSeconds: 1 }).claimFor(target);
  assert.ok(claim);
  const insertedAt = Date.now();
  const id = await insertClaimed(target, claim);
  const other = createWorker({});
  other.start();
  try {
    await eventually('the row', isDone(id));
    assert.ok(Date.now() >= insertedAt + 1000);
  } finally {
    await other.stop();
  }
});

test('no claim is granted while half of the slots of a target, a tenant or the process are taken, nor by a stopping process', async () => {
  const target = newTarget();
  const release = Promise.withResolvers<void>();
  const ids: string[] = [];
  let attempts = 0;
  const worker = createWorker({
    attempt: async () => {
      attempts += 1;
      await release.promise;
      return { kind: 'success' };
    },
  });
  for (let claim = worker.claimFor(target); claim !== null; claim = worker.claimFor(target)) {
    const id = await insertClaimed(target, claim);
    ids.push(id);
    worker.begin([claimOf(target, id, claim)]);
    await eventually('the attempt to be under way', () => attempts === ids.length);
  }
  assert.equal(ids.length, 2);
  const other = { ...target, targetId: randomUUID() };
  assert.notEqual(worker.claimFor(other), null);
  worker.start();
  release.resolve();
  for (const id of ids) await eventually('the row', isDone(id));
  await worker.stop();
  assert.equal(worker.claimFor(other), null);
});

test('of claims requested together, those without room are returned and their rows are due immediately', async () => {
  const target = newTarget();
  const release = Promise.withResolvers<void>();
  const worker = createWorker({
    attempt: async () => {
      await release.promise;
      return { kind: 'success' };
    },
  });
  const claims: ReturnType<typeof claimOf>[] = [];
  for (let nth = 0; nth < 6; nth += 1) {
    const claim = worker.claimFor(target);
    assert.ok(claim);
    claims.push(claimOf(target, await insertClaimed(target, claim), claim));
  }
  worker.begin(claims);
  const isDue = async ({ id }: { id: string }) => {
    const row = await rowOf(id);
    return row !== undefined && new Date(row.due_at) <= new Date();
  };
  await eventually('four of them to be given back', async () => {
    const due = await Promise.all(claims.map(isDue));
    return due.filter(Boolean).length === 4;
  });
  release.resolve();
  worker.start();
  for (const { id } of claims) await eventually('the row', isDone(id));
  await worker.stop();
});

test('rows that a work queue consumes need no attempt', async () => {
  const target = newTarget();
  const ids = [await insertRow(target, new Date(0)), await insertRow(target, new Date(0))];
  let attempts = 0;
  const worker = createWorker({
    consume: (_platform, { tenantId }, limit) => removeDue(tenantId, limit),
    attempt: async () => {
      attempts += 1;
      return { kind: 'success' };
    },
  });
  worker.start();
  try {
    for (const id of ids) await eventually('the row to be gone', async () => (await rowOf(id)) === undefined);
  } finally {
    await worker.stop();
  }
  assert.equal(attempts, 0);
});

test('rows that a work queue cannot consume are attempted, and other rows are consumed', async () => {
  const [broken, sound] = [newTarget(), newTarget()];
  const [attempted, removed] = [await insertRow(broken, new Date(0)), await insertRow(sound, new Date(0))];
  const worker = createWorker({
    consume: async (_platform, { tenantId }, limit) => {
      if (tenantId === broken.tenantId) throw new Error('One of them breaks it.');
      return removeDue(tenantId, limit);
    },
  });
  worker.start();
  try {
    await eventually('the row', isDone(attempted));
    await eventually('the row to be gone', async () => (await rowOf(removed)) === undefined);
  } finally {
    await worker.stop();
  }
});

async function removeDue(tenantId: string, limit: number): Promise<number> {
  const { rows } = await database.everyTenant('tests').raw(sql`
    delete from webhook_deliveries where tenant_id = ${tenantId}::uuid and id = any(array(
      select id from webhook_deliveries where tenant_id = ${tenantId}::uuid and state = 'pending' limit ${limit}))
    returning id`);
  return rows.length;
}

test('an outcome acknowledged with the old time, after the clock was set back, does not wait for that time', async () => {
  const target = newTarget();
  let ahead = 4 * 3_600_000;
  const clock = () => new Date(Date.now() + ahead);
  const release = Promise.withResolvers<void>();
  let tries = 0;
  const worker = createWorker(
    {
      attempt: async (platform) => {
        tries += 1;
        if (tries > 1) return { kind: 'success' };
        const dueAt = new Date(platform.clock().getTime() + 1000);
        await release.promise;
        return { kind: 'restart', dueAt };
      },
    },
    { ...app.app.platform, clock },
  );
  const id = await insertRow(target, new Date(0));
  worker.start();
  try {
    await eventually('the first attempt', () => tries === 1);
    ahead = 0;
    // Let the worker notice the change of the clock and correct due times.
    const probe = await insertRow(target, new Date(Date.now() + 3_600_000));
    await eventually('rows to be recalled', isDone(probe));
    release.resolve();
    await eventually('the row', isDone(id));
    assert.equal(tries, 3);
  } finally {
    release.resolve();
    await worker.stop();
  }
});

test('a row that gets no slot in time is claimed again and does not wait for its lease', async () => {
  const target = newTarget();
  const release = Promise.withResolvers<void>();
  let isQuick = true;
  let attempts = 0;
  const worker = createWorker({
    attempt: async () => {
      attempts += 1;
      if (!isQuick) await release.promise;
      return { kind: 'success' };
    },
  });
  worker.start();
  try {
    await eventually('a quick attempt', isDone(await insertRow(target, new Date(0))));
    // More rows of a fast target are claimed than are attempted at once.
    isQuick = false;
    const ids: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) ids.push(await insertRow(target, new Date(nth)));
    const last = ids.at(-1) ?? '';
    const claimIds = new Set<string>();
    await eventually('the last one to be claimed twice', async () => {
      const claimId = (await rowOf(last))?.claim_id ?? null;
      if (claimId !== null) claimIds.add(claimId);
      return claimIds.size === 2;
    });
    assert.equal(attempts, 5);
  } finally {
    release.resolve();
    await worker.stop();
  }
});

test('a recall does not change rows that another process has claimed', async () => {
  let ahead = 4 * 3_600_000;
  const clock = () => new Date(Date.now() + ahead);
  const worker = createWorker({}, { ...app.app.platform, clock });
  const first = await insertRow(newTarget(), new Date(0));
  worker.start();
  try {
    await eventually('the first row', isDone(first));
    const probe = await insertRow(newTarget(), new Date(Date.now() + 5 * 3_600_000));
    const lease = new Date(Date.now() + 300_000);
    // Not awaited before the clock is set back: until then the lease would have ended, and after it comes the recall.
    const inserted = insertRow(newTarget(), lease, randomUUID());
    ahead = 0;
    const claimed = await inserted;
    await eventually('rows to be recalled', isDone(probe));
    assert.equal(new Date((await rowOf(claimed))?.due_at ?? 0).getTime(), lease.getTime());
  } finally {
    await worker.stop();
  }
});
