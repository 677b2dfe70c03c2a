import type { StoredCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findWatchers, listJoinings, type TakenSignal, type Watch } from '../../subscriber-groups/index.ts';
import { holdPeople, keepPeople, listAskedFor } from '../../subscribers/index.ts';
import { AWAITED_TYPES, EVENT_TYPES } from '../schema.ts';
import { hearEvents } from '../states/hear.ts';
import { JOURNEY_STEPS } from '../states/ledger-names.ts';
import { endStates } from '../states/write.ts';
import { type Asked, enterPeople } from './enter.ts';

/** What may let somebody into journeys. */
interface Cause extends Watch {
  readonly subscriberId: string;
  readonly trigger: object;
  /** When it happened; whoever watches since later is not told. */
  readonly at?: Date;
  /** When the person came to be in what is watched: who has entered since does not enter again. */
  readonly cameAt?: Date;
  /** The chain that led to it. */
  readonly origin?: StoredCause | null;
}

/** Deals with signals that the open transaction has taken. */
export async function dealWithSignals(
  tx: ScopedDb,
  platform: Platform,
  signals: readonly TakenSignal[],
): Promise<void> {
  const now = platform.clock();
  await holdThoseTold(tx, signals);
  const { inactive, causes } = await lookAtActivity(tx, signals);
  await enter(tx, platform, [...signals.flatMap(causeOf), ...causes], now);
  if (inactive.length > 0)
    await endStates(tx, { actor: { kind: 'platform' }, now }, { subscriberIds: inactive });
  const events = signals.flatMap(({ kind, subscriber_id: subscriberId, key, occurred_at }) => {
    const type = AWAITED_TYPES.find((each) => each === kind);
    return type === undefined
      ? []
      : [{ type, subscriberId, at: heardAt(occurred_at, now), of: key === '' ? undefined : key }];
  });
  const woken = await hearEvents(tx, events, now);
  if (woken > 0) tx.afterCommit(() => platform.ledgers.wake(JOURNEY_STEPS));
}

/**
 * When states heard of an event. The clock of a site may be ahead of ours, and what is yet to come would answer all that they ever
 * wait for; what lets somebody in must not answer what they wait for from then on.
 */
function heardAt(occurredAt: string, now: Date): Date {
  return new Date(Math.min(new Date(occurredAt).getTime(), now.getTime() - 1));
}

/**
 * Whoever lets somebody in holds the person as it is. What people did, and that they are inactive, is told to the states that are
 * there then: those that another transaction is making must be among them.
 */
async function holdThoseTold(tx: ScopedDb, signals: readonly TakenSignal[]): Promise<void> {
  const isTold = signals.some(
    ({ kind }) => kind === 'activity' || AWAITED_TYPES.some((each) => each === kind),
  );
  if (isTold) await holdPeople(tx, [...new Set(signals.map((signal) => signal.subscriber_id))]);
}

function causeOf({
  kind,
  key,
  subscriber_id: subscriberId,
  occurred_at,
  data,
  cause: origin,
}: TakenSignal): Cause[] {
  const cause = { kind, key, subscriberId, origin };
  const at = new Date(occurred_at);
  if (kind === 'list_joined') return [{ ...cause, trigger: { type: kind, list_id: key }, at }];
  if (kind === 'audience_entered')
    return [{ ...cause, trigger: { type: kind, audience_id: key }, at, cameAt: at }];
  if (kind === 'subscribed') return [{ ...cause, trigger: { type: kind, subscription_type_id: key }, at }];
  if (!EVENT_TYPES.some((type) => type === kind)) return [];
  const emailId = data !== null && 'marketing_email_id' in data ? String(data.marketing_email_id) : '';
  return [{ ...cause, key: emailId, trigger: { type: kind, ...data } }];
}

/** Who is inactive now; and who was made active joins, as it were, what they have joined and asked for meanwhile. */
async function lookAtActivity(tx: ScopedDb, signals: readonly TakenSignal[]) {
  const turned = signals.filter(({ kind }) => kind === 'activity').map((signal) => signal.subscriber_id);
  const ids = [...new Set(turned)].toSorted();
  if (ids.length === 0) return { inactive: [], causes: [] };
  const people = await keepPeople(tx, ids);
  const active = ids.filter((id) => people.get(id)?.active === true);
  const joined = (await listJoinings(tx, active)).map(
    ({ subscriber_id: subscriberId, group_id: key, is_audience, joined_at }): Cause => ({
      ...{ key, subscriberId, at: new Date(joined_at), cameAt: new Date(joined_at) },
      ...(is_audience
        ? { kind: 'audience_entered', trigger: { type: 'audience_entered', audience_id: key } }
        : { kind: 'list_joined', trigger: { type: 'list_joined', list_id: key } }),
    }),
  );
  const asked = (await listAskedFor(tx, active)).map(
    ({ subscriber_id: subscriberId, subscription_type_id: key, subscribed_date }): Cause => ({
      ...{
        kind: 'subscribed',
        key,
        subscriberId,
        at: new Date(subscribed_date),
        cameAt: new Date(subscribed_date),
      },
      trigger: { type: 'subscribed', subscription_type_id: key },
    }),
  );
  return { inactive: ids.filter((id) => !active.includes(id)), causes: [...joined, ...asked] };
}

async function enter(tx: ScopedDb, platform: Platform, causes: readonly Cause[], now: Date): Promise<void> {
  if (causes.length === 0) return;
  const watchers = await findWatchers(tx, causes);
  const asked = causes.flatMap((cause): Asked[] =>
    watchers(cause, cause.at).map((journeyId) => ({
      journeyId,
      subscriberId: cause.subscriberId,
      trigger: cause.trigger,
      since: cause.cameAt,
      cause: cause.origin ?? null,
    })),
  );
  await enterPeople(tx, { platform, now, actor: { kind: 'platform' } }, asked);
}
