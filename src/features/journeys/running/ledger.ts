/**
 * The ledgers of states: what one attempt does. A walk reads and calls; whatever it writes, messages, changes of the person
 * and the state itself, is written when it is settled, in one transaction. A process that dies before has written nothing.
 */
import { sql } from 'kysely';
import { retryStep } from '../../../flows/retries.ts';
import { FairQueue } from '../../../ledger/fair-queue.ts';
import { type Claim, defineLedger, type Outcome } from '../../../ledger/ledger.ts';
import { takeMemory } from '../../../ledger/memory-budget.ts';
import { LONGEST_RETRY_AFTER_SECONDS } from '../../../outbound/header-rules.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { Merge } from '../../subscribers/index.ts';
import { laneOf, type Plan } from '../definition/plan.ts';
import type { Mails } from '../resource.ts';
import type { HistoryEntry, Status } from '../schema.ts';
import type { Awaited } from '../states/awaited.ts';
import { JOURNEY_CALLS, JOURNEY_STEPS } from '../states/ledger-names.ts';
import { type Progress, walkSteps } from '../steps/walk-steps.ts';
import { type LeftOut, loadLarge, loadStates, type Work } from './load.ts';
import type { PlannedMessage } from './mailing.ts';
import { RealWorld } from './real-world.ts';
import { settleStates } from './settle.ts';

/** What a walk has come to, to be written. */
export interface StepNote {
  readonly subscriberId: string;
  readonly journeyId: string;
  readonly status: Status;
  /** Where it is; null when it has ended. */
  readonly step: string | null;
  readonly arrivedAt: Date;
  /** Until when it waits there; null: it does not. */
  readonly waitsUntil: Date | null;
  readonly awaited: Awaited | null;
  readonly lane: 'steps' | 'calls' | 'parked';
  readonly stepsTaken: number;
  readonly entries: readonly HistoryEntry[];
  readonly mails: Mails;
  readonly messages: readonly PlannedMessage[];
  readonly merge: Merge | null;
  readonly error: string | null;
}

/** Steps are quick: many are claimed together, so that they share their statements. */
const CONCURRENCY = 2000;
const CONCURRENCY_PER_TENANT = 1000;
/** Calls, as deliveries to webhooks. */
const CALLS = { concurrency: 512, concurrencyPerTarget: 16, concurrencyPerTenant: 256 };
/** Rendering and writing what was claimed together takes seconds at most. */
const LEASE_SECONDS = 60;
const MAX_WAIT_MS = 30_000;
/** Beyond a call: time to load before it and to settle after it. */
const LEASE_MARGIN_SECONDS = 20;
const JITTER = 0.2;
/** Behind mail and deliveries. */
const LANE = 3;
/** As text of the database and as values, both once more where a mail is made of them, and as what the mail is made with. */
const COPIES = 5;
/** How long an attempt waits for memory, milliseconds: less than the margin of its lease. */
const MEMORY_WAIT_MS = 3000;

const queue = oncePerPlatform(() => new FairQueue({ inAll: CONCURRENCY, perTarget: CONCURRENCY_PER_TENANT }));

const dueTimes = {
  notBefore: sql`l.waits_until`,
  longestWaitSeconds: ({ config }: Platform, attempts: number) =>
    Math.max(
      LONGEST_RETRY_AFTER_SECONDS,
      ...config.webhookBackoffSeconds.slice(0, attempts).map((wait) => wait * (1 + JITTER)),
    ),
};

/** States that are at no call. */
export const journeySteps = defineLedger<Work | LeftOut, StepNote>({
  ...JOURNEY_STEPS,
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY_PER_TENANT,
  concurrencyPerTenant: CONCURRENCY_PER_TENANT,
  gate: { queue, lane: 0, maxWaitMs: MAX_WAIT_MS },
  dueTimes,
  leaseSeconds: () => LEASE_SECONDS,
  load: loadStates,
  attempt: (platform, claim, work) => attempt(platform, claim, work, false),
  settle: settleStates,
});

/** States that are at a call. */
export const journeyCalls = defineLedger<Work | LeftOut, StepNote>({
  ...JOURNEY_CALLS,
  ...CALLS,
  dueTimes,
  leaseSeconds: ({ config }) => config.webhookTimeoutSeconds + LEASE_MARGIN_SECONDS,
  load: loadStates,
  attempt: (platform, claim, work) => attempt(platform, claim, work, true),
  settle: settleStates,
});

/** Goes on with a state; with what is large of one when there is memory for it. */
async function attempt(
  platform: Platform,
  claim: Claim,
  work: Work | LeftOut,
  mayCall: boolean,
): Promise<Outcome<StepNote>> {
  if (!('leftOut' in work)) return step(platform, claim, work, mayCall);
  const { tenantId } = claim;
  const request = { tenantId, lane: LANE, bytes: work.leftOut * COPIES, maxWaitMs: MEMORY_WAIT_MS };
  const leave = await takeMemory(platform, request);
  if (leave === null) return { kind: 'returned' };
  try {
    const large = await loadLarge(platform, claim);
    return large === undefined ? { kind: 'drop' } : await step(platform, claim, large, mayCall);
  } finally {
    leave();
  }
}

async function step(
  platform: Platform,
  claim: Claim,
  { state, journey, plan, person }: Work,
  mayCall: boolean,
): Promise<Outcome<StepNote>> {
  const now = platform.clock();
  const from = state.current_step;
  const nothing = nothingDone(state, now);
  // The person is gone or inactive, or the journey is deleted.
  if (journey === null || !person?.active || from === null) {
    const entries = from === null ? [] : [{ step: from, at: now.toISOString(), outcome: 'exited' }];
    return { kind: 'success', note: { ...nothing, status: 'exited', step: null, entries } };
  }
  if (plan === null) return { kind: 'failed', error: 'Its version of the journey is gone.' };
  if (!journey.active) return { kind: 'anew', dueAt: now, note: { ...nothing, lane: 'parked' } };
  const world = new RealWorld(platform, { tenantId: claim.tenantId, state, journey, person }, mayCall);
  const progress = await walkSteps({ plan, from, takenBefore: state.steps_taken }, world);
  const note = {
    ...{ ...nothing, entries: progress.entries, stepsTaken: state.steps_taken + progress.taken },
    ...{ mails: world.sentMails(), messages: world.messages, merge: world.merge },
  };
  return outcomeOf(platform, claim, { progress, note, world, plan });
}

interface Walked {
  readonly progress: Progress;
  /** What was done, without where it has led. */
  readonly note: StepNote;
  readonly world: RealWorld;
  readonly plan: Plan;
}

function outcomeOf(
  platform: Platform,
  claim: Claim,
  { progress, note, world, plan }: Walked,
): Outcome<StepNote> {
  const now = platform.clock();
  switch (progress.kind) {
    case 'completed':
      return { kind: 'success', note: { ...note, status: 'completed', step: null } };
    case 'ended':
      return { kind: 'success', note: { ...note, status: 'exited', step: null } };
    case 'paused': {
      const lane = laneOf(plan.steps.get(progress.place)?.step);
      return { kind: 'anew', dueAt: now, note: { ...note, step: progress.place, arrivedAt: now, lane } };
    }
    case 'waiting': {
      const { place, until } = progress;
      const at = plan.steps.get(place)?.step;
      const awaited = at?.type === 'wait_for' ? world.awaited(at) : null;
      const there = { step: place, arrivedAt: world.arrivedAt(), waitsUntil: until, awaited };
      return { kind: 'anew', dueAt: until, note: { ...note, ...there } };
    }
    case 'failed': {
      const { place, error, isFinal, entry } = progress;
      const failed = {
        ...note,
        status: 'failed' as const,
        step: place,
        error,
        entries: [...note.entries, entry],
      };
      const waitsSeconds = platform.config.webhookBackoffSeconds;
      const { askedSeconds } = world;
      return retryStep(claim, {
        ...{ error, isFinal, note: failed, now, waitsSeconds, isSpread: true, askedSeconds },
      });
    }
  }
}

function nothingDone(state: Work['state'], now: Date): StepNote {
  return {
    ...{
      subscriberId: state.subscriber_id,
      journeyId: state.target_id,
      status: 'active',
      step: state.current_step,
    },
    ...{ arrivedAt: now, waitsUntil: null, awaited: null, lane: 'steps', stepsTaken: state.steps_taken },
    ...{ entries: [], mails: {}, messages: [], merge: null, error: null },
  };
}
