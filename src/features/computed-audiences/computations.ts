/**
 * The ledger of computations: all people of a tenant are looked at for one audience, a portion at a time. Each portion
 * commits with its place, so that a computation goes on where it was when its process is killed.
 */

import { sql } from 'kysely';
import { NIL } from 'uuid';
import { firstIdOf } from '../../db/time-ordered-id.ts';
import { brokenWaitSeconds } from '../../ledger/broken-attempts.ts';
import { FairQueue } from '../../ledger/fair-queue.ts';
import { type Claim, defineLedger, type Outcome } from '../../ledger/ledger.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import {
  AUDIENCE_COMPUTATIONS,
  findComputedAmong,
  finishComputation,
  saveProgress,
} from '../subscriber-groups/index.ts';
import { holdNextPeople } from '../subscribers/index.ts';
import { evaluatePeople } from './evaluation.ts';

/** Computations under way in one process: one of a tenant, as they hold the same people. */
const CONCURRENCY = 4;
const POLL_MS = 2000;
const LEASE_SECONDS = 30;
const MAX_WAIT_MS = 10_000;
/** After that the others have their turn. */
const TURN_MS = 5_000;
/** People whose create had not committed when their portion was looked at: none takes longer. */
const LATE_MS = 60_000;

/** How far a computation is. */
interface Progress {
  readonly target_id: string;
  readonly requested_at: string;
  readonly position: string | null;
  readonly finished_at: string | null;
}

const queue = oncePerPlatform(() => new FairQueue({ inAll: CONCURRENCY, perTarget: 1 }));

/** Computations of audiences. That of an audience without filters ends with it; others stay, to tell how far they are. */
export const audienceComputations = defineLedger<Progress, undefined, Progress>({
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
  leaseSeconds: () => LEASE_SECONDS,
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  attempt: (platform, claim, progress) => compute(platform, claim, progress),
});

/** Looks at people until all are done, or until others have their turn. */
async function compute(platform: Platform, claim: Claim, progress: Progress): Promise<Outcome> {
  const until = performance.now() + TURN_MS;
  let position = progress.position ?? NIL;
  while (performance.now() < until && !platform.drain.started) {
    const next = await computePortion(platform, claim, position, progress);
    if (next === null) return finish(platform, claim, progress);
    position = next;
  }
  return { kind: 'anew', dueAt: platform.clock() };
}

/**
 * The place after the next people; null when there are no more, or when another computation has taken the place of this one.
 * Once everybody was looked at, this looks for those alone whose create was not seen then: whoever was changed since is
 * looked at for that, and comes when it was changed.
 */
async function computePortion(
  { config, clock, scoped }: Platform,
  { tenantId, targetId, id }: Claim,
  position: string,
  { requested_at, finished_at }: Progress,
): Promise<string | null> {
  return scoped(wholeTenant(tenantId)).transaction(async (tx) => {
    const people = await holdNextPeople(tx, position, config.jobBatchSize);
    const last = people.at(-1);
    const concerned = finished_at === null ? people : people.filter(({ unchanged }) => unchanged);
    // By the filters that were set then: who is looked at later was in the audience before, for whoever watches it.
    const occasion = { audienceIds: [targetId], cameAt: new Date(requested_at) };
    const problems = await evaluatePeople(tx, concerned, clock(), occasion);
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
    if ((await findComputedAmong(tx, [targetId])).length === 0) return { kind: 'drop' };
    if (finished_at !== null) return { kind: 'success' };
    await finishComputation(tx, id, firstIdOf(new Date(requestedAt.getTime() - LATE_MS)), clock());
    return { kind: 'anew', dueAt: new Date(requestedAt.getTime() + LATE_MS) };
  });
}
