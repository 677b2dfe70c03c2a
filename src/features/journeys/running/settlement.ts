/** Settling of walks: one transaction for each tenant of a batch writes the states and the effects of their steps. */

import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { storable } from '../../../db/storable.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Settlement } from '../../../work-queue/work-queue.ts';
import { settleRows, toRow } from '../../../work-queue/work-queue-queries.ts';
import { mergeSubscribers, subscriberLocks } from '../../contacts/api.ts';
import { sendings } from '../../mail/api.ts';
import { countChanges } from '../states/counts.ts';
import { JOURNEY_CALLS, JOURNEY_STEPS } from '../states/queue-names.ts';
import {
  type LockedState,
  lockClaimed,
  parkStates,
  type SettledState,
  writeStates,
} from '../states/state-writes.ts';
import type { StepNote } from './queue.ts';

/** A settlement that changes its state, with the note to write. */
interface StateChange {
  readonly settlement: Settlement<StepNote>;
  readonly note: StepNote;
}

/** Settles a batch. */
export async function settleStates(
  all: EveryTenantDb,
  settlements: readonly Settlement<StepNote>[],
  platform: Platform,
): Promise<void> {
  // A retry changes only the columns of the work queue.
  const retries = settlements.filter(({ outcome }) => outcome.kind === 'retry' || outcome.kind === 'drop');
  if (retries.length > 0) await settleRows(all, JOURNEY_STEPS.table, retries.map(withoutNote));
  const changes = settlements.filter(({ outcome }) => outcome.kind !== 'retry' && outcome.kind !== 'drop');
  for (const [tenantId, own] of Map.groupBy(changes, ({ claim }) => claim.tenantId)) {
    const db = platform.scoped(wholeTenant(tenantId));
    await db.transaction((tx) => settleTenant(tx, platform, own));
  }
}

function withoutNote({ claim, outcome, at }: Settlement<StepNote>): Settlement {
  if (outcome.kind !== 'retry') return { claim, outcome: { kind: 'drop' }, at };
  const { kind, error, dueAt, isFault } = outcome;
  return { claim, outcome: { kind, error, dueAt, ...(isFault ? { isFault } : {}) }, at };
}

async function settleTenant(
  tx: ScopedDb,
  platform: Platform,
  settlements: readonly Settlement<StepNote>[],
): Promise<void> {
  const now = platform.clock();
  // Locks subscribers before states, as all changes of subscribers do. So no recipient is erased until the end.
  const changedIds = subscriberIdsOf(settlements, ({ merge }) => merge !== null);
  if (changedIds.length > 0) await subscriberLocks.lockById(tx, changedIds);
  const recipients = await subscriberLocks.keyShareLock(
    tx,
    subscriberIdsOf(settlements, ({ messages }) => messages.length > 0),
  );
  const locked = await lockClaimed(
    tx,
    settlements.map(({ claim }) => claim),
  );
  const changes = settlements.flatMap((settlement): StateChange[] => {
    const state = locked.get(settlement.claim.id);
    return state === undefined ? [] : [{ settlement, note: noteOf(settlement, state) }];
  });
  await writeMessages(tx, platform, changes, recipients, now);
  await writeMerges(tx, platform, changes, now);
  const parked = changes.filter(({ note }) => note.lane === 'parked');
  await parkStates(
    tx,
    parked.map(({ note, settlement }) => ({ id: settlement.claim.id, journeyId: note.journeyId })),
    now,
  );
  const settled = changes.filter(({ note }) => note.lane !== 'parked');
  await writeStates(tx, settled.map(toSettledState), now);
  await countChanges(
    tx,
    settled.map(({ note }) => ({ journeyId: note.journeyId, from: 'active', to: note.status })),
  );
  if (settled.some(({ note }) => note.status === 'active'))
    tx.afterCommit(() => {
      platform.workQueues.wake(JOURNEY_STEPS);
      platform.workQueues.wake(JOURNEY_CALLS);
    });
}

/** Ids of subscribers with a matching note, sorted so that locks are always taken in the same order. */
function subscriberIdsOf(
  settlements: readonly Settlement<StepNote>[],
  matches: (note: StepNote) => boolean,
): string[] {
  const ids = settlements.flatMap(({ outcome }) => {
    const note = 'note' in outcome ? outcome.note : undefined;
    return note !== undefined && matches(note) ? note.subscriberId : [];
  });
  return [...new Set(ids)].toSorted();
}

/** Returns the note of an attempt. A broken attempt without one fails its state at the current step. */
function noteOf({ outcome, at }: Settlement<StepNote>, state: LockedState): StepNote {
  if ('note' in outcome && outcome.note !== undefined) return outcome.note;
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
  const messages = changes.flatMap(({ note }) => {
    const subscriber = recipients.get(note.subscriberId);
    return subscriber === undefined ? [] : note.messages.map((message) => ({ message, subscriber }));
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
  const merges = changes.flatMap(({ note }) => (note.merge === null ? [] : [{ ...note, merge: note.merge }]));
  for (const [journeyId, own] of Map.groupBy(merges, (note) => note.journeyId))
    await mergeSubscribers(
      { platform, db: tx, now, actor: { kind: 'journey', journeyId } },
      own.map(({ merge }) => merge),
    );
}

function toSettledState({ settlement, note }: StateChange): SettledState {
  const { state, due_at, attempts, faults, error } = toRow(settlement);
  const hasEnded = note.status !== 'active';
  return {
    id: settlement.claim.id,
    state: state ?? 'failed',
    due_at,
    attempts,
    faults,
    last_error: error,
    // Waiting and history entries create a new version; reaching an HTTP call does not.
    is_new_version: hasEnded || note.entries.length > 0 || note.waitsUntil !== null,
    status: note.status,
    current_step: note.step,
    lane: note.lane,
    arrived_at: note.arrivedAt,
    waits_until: note.waitsUntil,
    finished_at: hasEnded ? settlement.at : null,
    error: note.error === null ? null : storable(note.error),
    steps_taken: note.stepsTaken,
    entries: note.entries,
    mails: note.mails,
    waits_for: note.awaited?.key ?? null,
    waits_since: note.awaited?.since ?? null,
  };
}
