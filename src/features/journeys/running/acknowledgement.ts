/**
 * Acknowledgement of walks: one transaction for each tenant of a batch writes the enrollments and the effects of their
 * steps.
 */

import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { storable } from '../../../db/storable.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Ack } from '../../../work-queue/work-queue.ts';
import { acknowledgeRows, toRow } from '../../../work-queue/work-queue-queries.ts';
import { mergeSubscribers, subscriberLocks } from '../../contacts/api.ts';
import { sendings } from '../../mail/api.ts';
import { countChanges } from '../states/counts.ts';
import { JOURNEY_CALLS, JOURNEY_STEPS } from '../states/queue-names.ts';
import {
  type LockedState,
  lockClaimed,
  parkStates,
  type StateUpdate,
  writeStates,
} from '../states/state-writes.ts';
import type { AttemptResult } from './attempt-result.ts';

/** An ack that changes its enrollment, with the result to write. */
interface StateChange {
  readonly ack: Ack<AttemptResult>;
  readonly result: AttemptResult;
}

/** Writes the results of a batch, tenant by tenant. */
export async function acknowledgeStates(
  all: EveryTenantDb,
  acks: readonly Ack<AttemptResult>[],
  platform: Platform,
): Promise<void> {
  // A retry changes only the columns of the work queue.
  const retries = acks.filter(({ outcome }) => outcome.kind === 'retry' || outcome.kind === 'drop');
  if (retries.length > 0) await acknowledgeRows(all, JOURNEY_STEPS.table, retries.map(withoutResult));
  const changes = acks.filter(({ outcome }) => outcome.kind !== 'retry' && outcome.kind !== 'drop');
  for (const [tenantId, own] of Map.groupBy(changes, ({ claim }) => claim.tenantId)) {
    const db = platform.scoped(wholeTenant(tenantId));
    await db.transaction((tx) => acknowledgeTenant(tx, platform, own));
  }
}

function withoutResult({ claim, outcome, at }: Ack<AttemptResult>): Ack {
  if (outcome.kind !== 'retry') return { claim, outcome: { kind: 'drop' }, at };
  const { kind, error, dueAt, isFault } = outcome;
  return { claim, outcome: { kind, error, dueAt, ...(isFault ? { isFault } : {}) }, at };
}

async function acknowledgeTenant(
  tx: ScopedDb,
  platform: Platform,
  acks: readonly Ack<AttemptResult>[],
): Promise<void> {
  const now = platform.clock();
  // Locks subscribers before enrollments, as all changes of subscribers do. So no recipient is erased until the end.
  const changedIds = subscriberIdsOf(acks, ({ merge }) => merge !== null);
  if (changedIds.length > 0) await subscriberLocks.lockById(tx, changedIds);
  const recipients = await subscriberLocks.keyShareLock(
    tx,
    subscriberIdsOf(acks, ({ messages }) => messages.length > 0),
  );
  const locked = await lockClaimed(
    tx,
    acks.map(({ claim }) => claim),
  );
  const changes = acks.flatMap((ack): StateChange[] => {
    const state = locked.get(ack.claim.id);
    return state === undefined ? [] : [{ ack, result: resultOf(ack, state) }];
  });
  await writeMessages(tx, platform, changes, recipients, now);
  await writeMerges(tx, platform, changes, now);
  const parked = changes.filter(({ result }) => result.lane === 'parked');
  await parkStates(
    tx,
    parked.map(({ result, ack }) => ({ id: ack.claim.id, journeyId: result.journeyId })),
    now,
  );
  const moved = changes.filter(({ result }) => result.lane !== 'parked');
  await writeStates(tx, moved.map(toStateUpdate), now);
  await countChanges(
    tx,
    moved.map(({ result }) => ({ journeyId: result.journeyId, from: 'active', to: result.status })),
  );
  if (moved.some(({ result }) => result.status === 'active'))
    tx.afterCommit(() => {
      platform.workQueues.wake(JOURNEY_STEPS);
      platform.workQueues.wake(JOURNEY_CALLS);
    });
}

/** Ids of subscribers with a matching result, sorted so that locks are always taken in the same order. */
function subscriberIdsOf(
  acks: readonly Ack<AttemptResult>[],
  matches: (result: AttemptResult) => boolean,
): string[] {
  const ids = acks.flatMap(({ outcome }) => {
    const result = 'result' in outcome ? outcome.result : undefined;
    return result !== undefined && matches(result) ? result.subscriberId : [];
  });
  return [...new Set(ids)].toSorted();
}

/** Returns the result of an attempt. A broken attempt without one fails its enrollment at the current step. */
function resultOf({ outcome, at }: Ack<AttemptResult>, state: LockedState): AttemptResult {
  if ('result' in outcome && outcome.result !== undefined) return outcome.result;
  const { current_step: step, target_id: journeyId, subscriber_id: subscriberId, steps_taken } = state;
  const entries = step === null ? [] : [{ step, at: at.toISOString(), outcome: 'failed' }];
  const error = 'error' in outcome ? (outcome.error ?? null) : null;
  return {
    subscriberId,
    journeyId,
    status: 'failed',
    step,
    arrivedAt: at,
    waitsUntil: null,
    awaited: null,
    lane: 'steps',
    stepsTaken: steps_taken,
    entries,
    mails: {},
    messages: [],
    merge: null,
    error,
  };
}

async function writeMessages(
  tx: ScopedDb,
  platform: Platform,
  changes: readonly StateChange[],
  recipients: ReadonlyMap<string, subscriberLocks.ExistingSubscriber>,
  now: Date,
): Promise<void> {
  const messages = changes.flatMap(({ result }) => {
    const subscriber = recipients.get(result.subscriberId);
    return subscriber === undefined ? [] : result.messages.map((message) => ({ message, subscriber }));
  });
  // Sorted to avoid deadlocks: adding messages locks the counts of the transmission.
  const bySending = Map.groupBy(messages, ({ message }) => message.sendingId);
  for (const [sendingId, own] of [...bySending].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    await sendings.addMessages(
      tx,
      { platform, now },
      sendingId,
      own.map(({ message: { id, data }, subscriber }) => ({
        id,
        data,
        subscriberId: subscriber.id,
        email: subscriber.email,
        recipient: subscriber.address_key,
        name: subscriber.name,
      })),
    );
  }
}

async function writeMerges(
  tx: ScopedDb,
  platform: Platform,
  changes: readonly StateChange[],
  now: Date,
): Promise<void> {
  const merges = changes.flatMap(({ result }) =>
    result.merge === null ? [] : [{ ...result, merge: result.merge }],
  );
  for (const [journeyId, own] of Map.groupBy(merges, (result) => result.journeyId))
    await mergeSubscribers(
      { platform, db: tx, now, actor: { kind: 'journey', journeyId } },
      own.map(({ merge }) => merge),
    );
}

function toStateUpdate({ ack, result }: StateChange): StateUpdate {
  const { state, due_at, attempts, faults, error } = toRow(ack);
  const hasEnded = result.status !== 'active';
  return {
    id: ack.claim.id,
    state: state ?? 'failed',
    due_at,
    attempts,
    faults,
    last_error: error,
    // Waiting and history entries create a new version; reaching an HTTP call does not.
    is_new_version: hasEnded || result.entries.length > 0 || result.waitsUntil !== null,
    status: result.status,
    current_step: result.step,
    lane: result.lane,
    arrived_at: result.arrivedAt,
    waits_until: result.waitsUntil,
    finished_at: hasEnded ? ack.at : null,
    error: result.error === null ? null : storable(result.error),
    steps_taken: result.stepsTaken,
    entries: result.entries,
    mails: result.mails,
    waits_for: result.awaited?.key ?? null,
    waits_since: result.awaited?.since ?? null,
  };
}
