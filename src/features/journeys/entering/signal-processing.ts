import type { StoredCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { listMemberships, listSubscriptions, signalQueue, subscriberLocks } from '../../contacts/api.ts';
import { AWAITED_TYPES, EVENT_TYPES } from '../schema.ts';
import { recordEvents } from '../states/event-recording.ts';
import { JOURNEY_STEPS } from '../states/queue-names.ts';
import { endStates } from '../states/state-writes.ts';
import { type EnrollmentRequest, enrollSubscribers } from './enrollment.ts';

/** An event that may enroll a subscriber in the journeys that watch for it. */
interface TriggerEvent extends signalQueue.Watch {
  readonly subscriberId: string;
  readonly trigger: object;
  /** Time of the event. Journeys that started watching later ignore it. */
  readonly at?: Date;
  /** Time of joining the watched list, audience or type. An enrollment since then prevents another one. */
  readonly joinedAt?: Date;
  /** The chain that led to the event. */
  readonly cause?: StoredCause | null;
}

/** Processes signals that the open transaction has deleted from the work queue. */
export async function processSignals(
  tx: ScopedDb,
  platform: Platform,
  signals: readonly signalQueue.ConsumedSignal[],
): Promise<void> {
  const now = platform.clock();
  await lockSubscribers(tx, signals);
  const { inactive, triggers } = await checkActivity(tx, signals);
  await enter(tx, platform, [...signals.flatMap(triggerEventOf), ...triggers], now);
  if (inactive.length > 0)
    await endStates(tx, { actor: { kind: 'platform' }, now }, { subscriberIds: inactive });
  const events = signals.flatMap(({ kind, subscriber_id: subscriberId, key, occurred_at }) => {
    const type = AWAITED_TYPES.find((each) => each === kind);
    return type === undefined
      ? []
      : [{ type, subscriberId, at: countedAt(occurred_at, now), reference: key === '' ? undefined : key }];
  });
  const woken = await recordEvents(tx, events, now);
  if (woken > 0) tx.afterCommit(() => platform.workQueues.wake(JOURNEY_STEPS));
}

/**
 * Returns the time that counts for waiting enrollments: before now. The clock of a site may be ahead, and an event in
 * the future would satisfy every later wait. An event that enrolls a subscriber must not satisfy the waits that follow.
 */
function countedAt(occurredAt: string, now: Date): Date {
  return new Date(Math.min(new Date(occurredAt).getTime(), now.getTime() - 1));
}

/**
 * Locks the subscribers of awaited events and of changed activity. Such signals must reach all their enrollments,
 * including those that another transaction is inserting: enrolling share-locks the subscriber.
 */
async function lockSubscribers(tx: ScopedDb, signals: readonly signalQueue.ConsumedSignal[]): Promise<void> {
  const needsLock = signals.some(
    ({ kind }) => kind === 'activity' || AWAITED_TYPES.some((each) => each === kind),
  );
  if (needsLock)
    await subscriberLocks.lockById(tx, [...new Set(signals.map((signal) => signal.subscriber_id))]);
}

function triggerEventOf({
  kind,
  key,
  subscriber_id: subscriberId,
  occurred_at,
  data,
  cause,
}: signalQueue.ConsumedSignal): TriggerEvent[] {
  const event = { kind, key, subscriberId, cause };
  const at = new Date(occurred_at);
  if (kind === 'list_joined') return [{ ...event, trigger: { type: kind, list_id: key }, at }];
  if (kind === 'audience_entered')
    return [{ ...event, trigger: { type: kind, audience_id: key }, at, joinedAt: at }];
  if (kind === 'subscribed') return [{ ...event, trigger: { type: kind, subscription_type_id: key }, at }];
  if (!EVENT_TYPES.some((type) => type === kind)) return [];
  const emailId = data !== null && 'marketing_email_id' in data ? String(data.marketing_email_id) : '';
  return [{ ...event, key: emailId, trigger: { type: kind, ...data } }];
}

/**
 * Returns the subscribers that are inactive now. For those that became active, also returns their lists, audiences and
 * subscriptions as trigger events, as they may have joined while inactive.
 */
async function checkActivity(tx: ScopedDb, signals: readonly signalQueue.ConsumedSignal[]) {
  const changed = signals.filter(({ kind }) => kind === 'activity').map((signal) => signal.subscriber_id);
  const ids = [...new Set(changed)].toSorted();
  if (ids.length === 0) return { inactive: [], triggers: [] };
  const subscribers = await subscriberLocks.keyShareLock(tx, ids);
  const active = ids.filter((id) => subscribers.get(id)?.active === true);
  const joined = (await listMemberships(tx, active)).map(
    ({ subscriber_id: subscriberId, group_id: key, is_audience, joined_at }): TriggerEvent => ({
      key,
      subscriberId,
      at: new Date(joined_at),
      joinedAt: new Date(joined_at),
      ...(is_audience
        ? { kind: 'audience_entered', trigger: { type: 'audience_entered', audience_id: key } }
        : { kind: 'list_joined', trigger: { type: 'list_joined', list_id: key } }),
    }),
  );
  const subscribed = (await listSubscriptions(tx, active)).map(
    ({ subscriber_id: subscriberId, subscription_type_id: key, subscribed_date }): TriggerEvent => ({
      kind: 'subscribed',
      key,
      subscriberId,
      at: new Date(subscribed_date),
      joinedAt: new Date(subscribed_date),
      trigger: { type: 'subscribed', subscription_type_id: key },
    }),
  );
  return { inactive: ids.filter((id) => !active.includes(id)), triggers: [...joined, ...subscribed] };
}

async function enter(
  tx: ScopedDb,
  platform: Platform,
  triggers: readonly TriggerEvent[],
  now: Date,
): Promise<void> {
  if (triggers.length === 0) return;
  const watchers = await signalQueue.findWatchers(tx, triggers);
  const requests = triggers.flatMap((event): EnrollmentRequest[] =>
    watchers(event, event.at).map((journeyId) => ({
      journeyId,
      subscriberId: event.subscriberId,
      trigger: event.trigger,
      since: event.joinedAt,
      cause: event.cause ?? null,
    })),
  );
  await enrollSubscribers(tx, { platform, now, actor: { kind: 'platform' } }, requests);
}
