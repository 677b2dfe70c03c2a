/**
 * The work queues of enrollments. A walk through the steps only reads data and makes HTTP calls. Afterwards one
 * transaction writes its messages, the changes of the subscriber, and the enrollment, so that a crash during the walk
 * leaves nothing behind.
 */

import { sql } from 'kysely';
import { retryStep } from '../../../flows/retries.ts';
import { reserveMemory } from '../../../memory/reserve-memory.ts';
import { LONGEST_RETRY_AFTER_SECONDS } from '../../../outbound/header-rules.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import { defineWorkQueue } from '../../../work-queue/define-work-queue.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';
import type { Outcome } from '../../../work-queue/work-queue.ts';
import { laneOf, type Plan } from '../definition/plan.ts';
import { JOURNEY_CALLS, JOURNEY_STEPS } from '../states/queue-names.ts';
import { type Progress, walkSteps } from '../steps/step-walk.ts';
import { acknowledgeStates } from './acknowledgement.ts';
import type { AttemptResult } from './attempt-result.ts';
import { RunEnvironment } from './run-environment.ts';
import { type DeferredWork, loadLarge, loadStates, type Work } from './state-loader.ts';

/** Steps are quick. A worker claims many enrollments together, so that they share statements. */
const CONCURRENCY = 2000;
const CONCURRENCY_PER_TENANT = 1000;
/** Limits of HTTP calls, equal to those of webhook deliveries. */
const CALLS = { concurrency: 512, concurrencyPerTarget: 16, concurrencyPerTenant: 256 };
const MAX_WAIT_MS = 30_000;
const JITTER = 0.2;
/** Memory priority, lower than that of mail and webhook deliveries. */
const LANE = 3;
/**
 * Copies of the data in memory: text and parsed values for loading, the same for rendering, and the renderer's input.
 */
const COPIES = 5;
/** How long an attempt waits for memory, in ms. */
const MEMORY_WAIT_MS = 3000;

const queue = oncePerPlatform(() => new FairQueue({ total: CONCURRENCY, perTarget: CONCURRENCY_PER_TENANT }));

const dueTimes = {
  notBefore: sql`l.waits_until`,
  longestWaitSeconds: ({ config }: Platform, attempts: number) =>
    Math.max(
      LONGEST_RETRY_AFTER_SECONDS,
      ...config.webhookBackoffSeconds.slice(0, attempts).map((wait) => wait * (1 + JITTER)),
    ),
};

/** Enrollments at steps other than HTTP calls. */
export const journeySteps = defineWorkQueue<Work | DeferredWork, AttemptResult>({
  ...JOURNEY_STEPS,
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY_PER_TENANT,
  concurrencyPerTenant: CONCURRENCY_PER_TENANT,
  gate: { queue, lane: 0, maxWaitMs: MAX_WAIT_MS },
  dueTimes,
  load: loadStates,
  attempt: (platform, claim, work) => attempt(platform, claim, work, false),
  acknowledge: acknowledgeStates,
});

/** Enrollments at HTTP calls. */
export const journeyCalls = defineWorkQueue<Work | DeferredWork, AttemptResult>({
  ...JOURNEY_CALLS,
  ...CALLS,
  dueTimes,
  load: loadStates,
  attempt: (platform, claim, work) => attempt(platform, claim, work, true),
  acknowledge: acknowledgeStates,
});

/** Continues an enrollment. Loads deferred data once the memory budget allows it. */
async function attempt(
  platform: Platform,
  claim: Claim,
  work: Work | DeferredWork,
  mayCall: boolean,
): Promise<Outcome<AttemptResult>> {
  if (!('deferredBytes' in work)) return runSteps(platform, claim, work, mayCall);
  const { tenantId } = claim;
  const request = { tenantId, lane: LANE, bytes: work.deferredBytes * COPIES, maxWaitMs: MEMORY_WAIT_MS };
  const release = await reserveMemory(platform, 'outgoingWork', request);
  if (release === null) return { kind: 'returned' };
  try {
    const large = await loadLarge(platform, claim);
    return large === undefined ? { kind: 'drop' } : await runSteps(platform, claim, large, mayCall);
  } finally {
    release();
  }
}

async function runSteps(
  platform: Platform,
  claim: Claim,
  { state, journey, plan, subscriber }: Work,
  mayCall: boolean,
): Promise<Outcome<AttemptResult>> {
  const now = platform.clock();
  const from = state.current_step;
  const unchanged = unchangedResult(state, now);
  // The subscriber is missing or inactive, or the journey is deleted.
  if (journey === null || !subscriber?.active || from === null) {
    const entries = from === null ? [] : [{ step: from, at: now.toISOString(), outcome: 'exited' }];
    return { kind: 'success', result: { ...unchanged, status: 'exited', step: null, entries } };
  }
  if (plan === null) return { kind: 'failed', error: 'The version of the journey no longer exists.' };
  if (!journey.active) return { kind: 'restart', dueAt: now, result: { ...unchanged, lane: 'parked' } };
  const environment = new RunEnvironment(
    platform,
    { tenantId: claim.tenantId, state, journey, subscriber },
    mayCall,
  );
  const progress = await walkSteps({ plan, from, stepsBefore: state.steps_taken }, environment);
  const result = {
    ...unchanged,
    entries: progress.entries,
    stepsTaken: state.steps_taken + progress.taken,
    mails: environment.sentMails(),
    messages: environment.messages,
    merge: environment.merge,
  };
  return outcomeOf(platform, claim, { progress, result, environment, plan });
}

interface FinishedWalk {
  readonly progress: Progress;
  /** Effects of the walk, without its new position. */
  readonly result: AttemptResult;
  readonly environment: RunEnvironment;
  readonly plan: Plan;
}

function outcomeOf(
  platform: Platform,
  claim: Claim,
  { progress, result, environment, plan }: FinishedWalk,
): Outcome<AttemptResult> {
  const now = platform.clock();
  switch (progress.kind) {
    case 'completed':
      return { kind: 'success', result: { ...result, status: 'completed', step: null } };
    case 'ended':
      return { kind: 'success', result: { ...result, status: 'exited', step: null } };
    case 'paused': {
      const lane = laneOf(plan.steps.get(progress.position)?.step);
      return {
        kind: 'restart',
        dueAt: now,
        result: { ...result, step: progress.position, arrivedAt: now, lane },
      };
    }
    case 'waiting': {
      const { position, until } = progress;
      const current = plan.steps.get(position)?.step;
      const awaited = current?.type === 'wait_for' ? environment.awaited(current) : null;
      const wait = { step: position, arrivedAt: environment.arrivedAt(), waitsUntil: until, awaited };
      return { kind: 'restart', dueAt: until, result: { ...result, ...wait } };
    }
    case 'failed': {
      const { position, error, isFinal, entry } = progress;
      const failed = {
        ...result,
        status: 'failed' as const,
        step: position,
        error,
        entries: [...result.entries, entry],
      };
      const waitsSeconds = platform.config.webhookBackoffSeconds;
      return retryStep(claim, {
        error,
        isFinal,
        result: failed,
        now,
        waitsSeconds,
        hasJitter: true,
        retryAfterSeconds: environment.retryAfterSeconds,
      });
    }
  }
}

function unchangedResult(state: Work['state'], now: Date): AttemptResult {
  return {
    subscriberId: state.subscriber_id,
    journeyId: state.target_id,
    status: 'active',
    step: state.current_step,
    arrivedAt: now,
    waitsUntil: null,
    awaited: null,
    lane: 'steps',
    stepsTaken: state.steps_taken,
    entries: [],
    mails: {},
    messages: [],
    merge: null,
    error: null,
  };
}
