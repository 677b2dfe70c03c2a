/**
 * Work queue of computations. A computation evaluates all subscribers of a tenant for one audience, in batches. Each
 * batch commits with its position, so that a computation continues there after a crash.
 */

import { sql } from 'kysely';
import { NIL } from 'uuid';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { brokenWaitSeconds } from '../../../work-queue/broken-attempts.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import { defineWorkQueue } from '../../../work-queue/define-work-queue.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';
import type { Outcome } from '../../../work-queue/work-queue.ts';
import {
  AUDIENCE_COMPUTATIONS,
  findComputedIds,
  finishComputation,
  saveProgress,
} from '../subscriber-groups/index.ts';
import { subscriberLocks } from '../subscribers/index.ts';
import { evaluateSubscribers } from './evaluation.ts';

/** Concurrent computations of a process. A tenant has one at a time, as its computations lock the same subscribers. */
const CONCURRENCY = 4;
const POLL_MS = 2000;
const MAX_WAIT_MS = 10_000;
/** Time after which a computation yields to others. */
const SLICE_MS = 5_000;
/** Maximum duration of a transaction that creates a subscriber. Such a subscriber may appear after its batch. */
const LATE_MS = 60_000;

/** Progress of a computation. */
interface Progress {
  readonly target_id: string;
  readonly requested_at: string;
  readonly position: string | null;
  readonly finished_at: string | null;
}

const queue = oncePerPlatform(() => new FairQueue({ total: CONCURRENCY, perTarget: 1 }));

/** Computations of audiences. The row stays as the audience's status, unless the audience has no filters. */
export const audienceComputations = defineWorkQueue<Progress, undefined, Progress>({
  ...AUDIENCE_COMPUTATIONS,
  columns: ['target_id', 'requested_at', 'position', 'finished_at'],
  concurrency: CONCURRENCY,
  concurrencyPerTarget: 1,
  concurrencyPerTenant: 1,
  gate: { queue, lane: 0, maxWaitMs: MAX_WAIT_MS },
  pollEveryMs: POLL_MS,
  dueTimes: {
    notBefore: sql`l.requested_at`,
    longestWaitSeconds: (_platform, attempts) => Math.max(LATE_MS / 1000, brokenWaitSeconds(attempts)),
  },
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  attempt: (platform, claim, progress) => compute(platform, claim, progress),
});

/** Evaluates batches until all subscribers are processed or the time slice ends. */
async function compute(platform: Platform, claim: Claim, progress: Progress): Promise<Outcome> {
  const until = performance.now() + SLICE_MS;
  let position = progress.position ?? NIL;
  while (performance.now() < until && !platform.drain.started) {
    const next = await computeBatch(platform, claim, position, progress);
    if (next === null) return finish(platform, claim, progress);
    position = next;
  }
  return { kind: 'restart', dueAt: platform.clock() };
}

/**
 * Evaluates the next batch and returns its last position; null at the end, or if another computation replaced this one.
 * A finished computation evaluates only late subscribers: their creation committed after their batch. Subscribers
 * that were changed since are in the work queue of changes.
 */
async function computeBatch(
  { config, clock, scoped }: Platform,
  { tenantId, targetId, id }: Claim,
  position: string,
  { requested_at, finished_at }: Progress,
): Promise<string | null> {
  return scoped(wholeTenant(tenantId)).transaction(async (tx) => {
    const subscribers = await subscriberLocks.lockNext(tx, position, config.jobBatchSize);
    const last = subscribers.at(-1);
    const relevant = finished_at === null ? subscribers : subscribers.filter(({ unchanged }) => unchanged);
    // Watchers see all members as joined when the filters were set, however late the computation reaches them.
    const options = { audienceIds: [targetId], occurredAt: new Date(requested_at) };
    const problems = await evaluateSubscribers(tx, relevant, clock(), options);
    const isCurrent = await saveProgress(tx, id, last?.id ?? position, problems);
    return isCurrent && last !== undefined ? last.id : null;
  });
}

async function finish(
  { clock, scoped }: Platform,
  { tenantId, targetId, id }: Claim,
  { requested_at, finished_at }: Progress,
): Promise<Outcome> {
  const requestedAt = new Date(requested_at);
  return scoped(wholeTenant(tenantId)).transaction(async (tx): Promise<Outcome> => {
    if ((await findComputedIds(tx, [targetId])).length === 0) return { kind: 'drop' };
    if (finished_at !== null) return { kind: 'success' };
    await finishComputation(tx, id, firstIdOf(new Date(requestedAt.getTime() - LATE_MS)), clock());
    return { kind: 'restart', dueAt: new Date(requestedAt.getTime() + LATE_MS) };
  });
}
