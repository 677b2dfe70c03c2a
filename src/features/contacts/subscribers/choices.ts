/**
 * Subscription choices (docs/specification/subscribers.md#preferences): those of members, links and one-click requests.
 * Each choice creates a new version of the subscriber.
 */

import type { Issue } from '../../../errors/app-error.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import type { Columns } from '../../../resources/body.ts';
import { changeRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getSubscriberSettings, liftUnsubscribe } from '../../email-settings/api.ts';
import { joinGroups } from '../subscriber-groups/index.ts';
import { invalidSubscriber } from './errors.ts';
import { listUnsubscribedTypes, lockSameAddress, writePreferences } from './queries.ts';
import { type SubscriberRow, subscribers } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

/** `inactive_reason` of subscribers who opted out with a link, without giving a reason. */
const OPT_OUT_REASON = 'Opted out of all marketing mail.';

/** True if the subscriber opted out with a link. Such a subscriber may also opt in again with a link. */
export function hasOptedOut({
  active,
  inactive_reason,
}: Pick<SubscriberRow, 'active' | 'inactive_reason'>): boolean {
  return !active && inactive_reason === OPT_OUT_REASON;
}

/** Context of a choice; `db` is a transaction. */
type ChoiceContext = Pick<RequestContext, 'platform' | 'now'> & TenantContext;

/** Requested choices of a subscriber. */
export interface Choice {
  /** The last update of a type wins. */
  readonly updates: SubscriptionUpdates;
  /** True to unsubscribe from every type without an update. */
  readonly replaceAll: boolean;
  /** True to deactivate an active subscriber. */
  readonly markInactive?: boolean;
  /** Reason for `markInactive`. Default: `OPT_OUT_REASON`. */
  readonly inactiveReason?: string;
  /** True to reactivate a subscriber who opted out with a link. */
  readonly isReactivated?: boolean;
}

/** Finds updates of unknown types. */
export function findTypeIssues(
  updates: SubscriptionUpdates,
  types: readonly { readonly id: string }[],
): Issue[] {
  const known = new Set(types.map(({ id }) => id));
  return updates.flatMap(({ subscription_type_id }, index) =>
    known.has(subscription_type_id)
      ? []
      : [
          {
            field: `subscription_updates[${index}].subscription_type_id`,
            message: 'must reference an existing subscription type',
          },
        ],
  );
}

/** Writes the choices of a subscriber and lifts suppressions accordingly. */
export async function writeChoices(
  { platform, db, now }: ChoiceContext,
  subscriber: Pick<SubscriberRow, 'id' | 'created_at' | 'email'>,
  updates: SubscriptionUpdates,
): Promise<void> {
  if (updates.length === 0) return;
  await writePreferences(db, subscriber, updates, now);
  await liftSuppressions({ platform, db }, subscriber.email, updates);
}

/** Lifts `unsubscribe` suppressions that came from unsubscribing from the types that are subscribed to now. */
export async function liftSuppressions(
  { platform, db }: Pick<ChoiceContext, 'platform' | 'db'>,
  email: string,
  updates: SubscriptionUpdates,
): Promise<void> {
  // The last update of a type wins.
  const chosen = new Map(updates.map((each) => [each.subscription_type_id, each.subscribe]));
  const typeIds = [...chosen].filter(([, subscribe]) => subscribe).map(([id]) => id);
  await liftUnsubscribe(platform, db, email, typeIds);
}

/**
 * Writes the choices that a subscriber made with a link. They apply to the subscribers of all units with the same
 * address. `ctx.db` is a transaction that reaches the whole tenant. Returns false if the subscriber no longer exists.
 * @throws AppError INVALID_SUBSCRIBER for an unknown type.
 */
export async function chooseSubscriptions(
  ctx: ChoiceContext,
  subscriberId: string,
  { updates, replaceAll, ...choice }: Choice,
): Promise<boolean> {
  const { db } = ctx;
  const ids = await lockSameAddress(db, subscriberId);
  if (ids.length === 0) return false;
  const { subscription_types: types } = await getSubscriberSettings(db);
  const issues = findTypeIssues(updates, types);
  if (issues.length > 0) throw invalidSubscriber(issues);
  const updatedIds = new Set(updates.map(({ subscription_type_id }) => subscription_type_id));
  const otherIds = replaceAll ? types.map(({ id }) => id).filter((id) => !updatedIds.has(id)) : [];
  for (const id of ids)
    await changeSubscriber(ctx, id, async (row) => {
      await writeChoices(ctx, row, [...updates, ...otherIds.map(unsubscribed)]);
      return activityColumns(row, choice);
    });
  return true;
}

/**
 * Unsubscribes from a type, or from all types for null, like `chooseSubscriptions`. `tx` is a transaction that reaches
 * the whole tenant. A subscriber without a change gets no new version.
 */
export async function unsubscribe(
  tx: ScopedDb,
  subscriberId: string,
  subscriptionTypeId: string | null,
  now: Date,
): Promise<void> {
  const typeIds = subscriptionTypeId === null ? await typeIdsOf(tx) : [subscriptionTypeId];
  for (const id of await lockSameAddress(tx, subscriberId)) {
    const unsubscribedIds = new Set(await listUnsubscribedTypes(tx, id));
    const changedIds = typeIds.filter((typeId) => !unsubscribedIds.has(typeId));
    if (changedIds.length === 0) continue;
    await changeSubscriber({ db: tx, now }, id, async (row) => {
      await writePreferences(tx, row, changedIds.map(unsubscribed), now);
      return {};
    });
  }
}

/**
 * Undoes an unsubscribe by a message. Its subscriber is subscribed again to the message's type, or without a type
 * (`typeId` null) to all types that the unsubscribe changed. Subscribers of other units with the same address get back
 * only what the unsubscribe changed. Deleted types are skipped.
 */
export async function undoUnsubscribe(
  ctx: ChoiceContext,
  subscriberId: string,
  typeId: string | null,
  unsubscribedAt: string | null,
): Promise<void> {
  const known = await typeIdsOf(ctx.db);
  for (const id of await lockSameAddress(ctx.db, subscriberId)) {
    const undoable = unsubscribedAt === null ? [] : await listUnsubscribedTypes(ctx.db, id, unsubscribedAt);
    const isOfType = (each: string) => typeId === null || each === typeId;
    const typeIds = id === subscriberId && typeId !== null ? [typeId] : undoable.filter(isOfType);
    const updates = typeIds
      .filter((each) => known.includes(each))
      .map((each) => ({ subscription_type_id: each, subscribe: true }));
    if (id !== subscriberId && updates.length === 0) continue;
    await changeSubscriber(ctx, id, async (row) => {
      await writeChoices(ctx, row, updates);
      return {};
    });
  }
}

async function typeIdsOf(db: ScopedDb): Promise<string[]> {
  return (await getSubscriberSettings(db)).subscription_types.map(({ id }) => id);
}

function unsubscribed(id: string): SubscriptionUpdates[number] {
  return { subscription_type_id: id, subscribe: false };
}

/** Writes the next version of a subscriber, and updates the counts of its groups if `active` changes. */
async function changeSubscriber(
  { db, now }: Pick<ChoiceContext, 'db' | 'now'>,
  subscriberId: string,
  change: (row: SubscriberRow) => Promise<Columns>,
): Promise<void> {
  const writer = { actor: { kind: 'subscriber', subscriberId } as const, db, now };
  await changeRecord(writer, subscribers, subscriberId, {}, async (row) => {
    const columns = await change(row);
    // Joins no group: updates counts and queues computed audiences if `active` changes.
    const isActive = columns.active === undefined ? row.active : columns.active === true;
    const groups = { lists: [], audiences: [] };
    await joinGroups(db, { subscriberId, groups, wasActive: row.active, isActive }, now);
    return columns;
  });
}

/** Returns the columns that change if the choice activates or deactivates the subscriber; empty otherwise. */
function activityColumns(
  row: SubscriberRow,
  { markInactive = false, inactiveReason, isReactivated = false }: Omit<Choice, 'updates' | 'replaceAll'>,
): Columns {
  if (row.active && markInactive)
    return { active: false, inactive_reason: inactiveReason?.trim() || OPT_OUT_REASON };
  if (hasOptedOut(row) && isReactivated && !markInactive) return { active: true, inactive_reason: null };
  return {};
}
