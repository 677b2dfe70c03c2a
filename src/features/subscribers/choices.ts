/**
 * What people choose to receive (docs/specification/subscribers.md#preferences). Whoever asks for it, a member, a link or
 * one click: each choice is written here, and with each the next version of the subscriber.
 */
import type { Issue } from '../../errors/app-error.ts';
import type { RequestContext, TenantContext } from '../../http/context.ts';
import type { Columns } from '../../resources/body.ts';
import { changeRecord } from '../../resources/records.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { getSubscriberSettings, liftUnsubscribe } from '../email-settings/index.ts';
import { joinGroups } from '../subscriber-groups/index.ts';
import { invalidSubscriber } from './errors.ts';
import { listLeftTypes, lockSelves, writePreferences } from './queries.ts';
import { type SubscriberRow, subscribers } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

/** Why somebody is inactive who said by a link to want nothing any more, and no reason. */
const LEFT = 'Wants to receive nothing any more.';

/** Whether somebody is inactive by having said so by a link: such a person may come back by a link, too. */
export function hasLeft({ active, inactive_reason }: SubscriberRow): boolean {
  return !active && inactive_reason === LEFT;
}

/** What writing a choice takes; `db` is a transaction. */
type ChoiceContext = Pick<RequestContext, 'platform' | 'now'> & TenantContext;

/** What somebody asks for. */
export interface Choice {
  /** Of several for one type the last holds. */
  readonly updates: SubscriptionUpdates;
  /** Unsubscribes from every type that is not named. */
  readonly replaceAll: boolean;
  /** Makes the person inactive; who is so already stays so, for the reason there is. */
  readonly markInactive?: boolean;
  /** Unless given, that the person wants nothing any more. */
  readonly inactiveReason?: string;
  /** Makes active again who became inactive by saying so here. */
  readonly comesBack?: boolean;
}

/** Names the updates of types that there are not. */
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
            message: 'names no subscription type',
          },
        ],
  );
}

/** Writes what a subscriber chooses, with what follows for suppressions. */
export async function writeChoices(
  { platform, db, now }: ChoiceContext,
  subscriber: Pick<SubscriberRow, 'id' | 'created_at' | 'email'>,
  updates: SubscriptionUpdates,
): Promise<void> {
  if (updates.length === 0) return;
  await writePreferences(db, subscriber, updates, now);
  await welcomeBack({ platform, db }, subscriber.email, updates);
}

/** Whoever subscribes to a type wants its mail again: an `unsubscribe` suppression that came from leaving it goes. */
export async function welcomeBack(
  { platform, db }: Pick<ChoiceContext, 'platform' | 'db'>,
  email: string,
  updates: SubscriptionUpdates,
): Promise<void> {
  // Of several for one type the last holds.
  const chosen = new Map(updates.map((each) => [each.subscription_type_id, each.subscribe]));
  const typeIds = [...chosen].filter(([, subscribe]) => subscribe).map(([id]) => id);
  await liftUnsubscribe(platform, db, email, typeIds);
}

/**
 * Has a subscriber choose by a link of its own, as the next version of the record, and of those that other units have of the
 * same address: nobody has to say it to each. `ctx.db` is a transaction that reaches the whole tenant. Returns false when there is no such subscriber any more.
 * @throws AppError INVALID_SUBSCRIBER for a type that there is not.
 */
export async function chooseSubscriptions(
  ctx: ChoiceContext,
  subscriberId: string,
  { updates, replaceAll, ...choice }: Choice,
): Promise<boolean> {
  const { db } = ctx;
  const selves = await lockSelves(db, subscriberId);
  if (selves.length === 0) return false;
  const { subscription_types: types } = await getSubscriberSettings(db);
  const issues = findTypeIssues(updates, types);
  if (issues.length > 0) throw invalidSubscriber(issues);
  const named = new Set(updates.map(({ subscription_type_id }) => subscription_type_id));
  const left = replaceAll ? types.map(({ id }) => id).filter((id) => !named.has(id)) : [];
  for (const id of selves)
    await changeSubscriber(ctx, id, async (row) => {
      await writeChoices(ctx, row, [...updates, ...left.map(unsubscribed)]);
      return activityOf(row, choice);
    });
  return true;
}

/**
 * Unsubscribes somebody from a type, from every type when it is null, as `chooseSubscriptions` does; `tx` is a transaction
 * that reaches the whole tenant. Who is not there any more, or has left already, stays as is, without another version.
 */
export async function turnOff(
  tx: ScopedDb,
  subscriberId: string,
  subscriptionTypeId: string | null,
  now: Date,
): Promise<void> {
  const asked = subscriptionTypeId === null ? await typeIdsOf(tx) : [subscriptionTypeId];
  for (const id of await lockSelves(tx, subscriberId)) {
    const off = new Set(await listLeftTypes(tx, id));
    const left = asked.filter((typeId) => !off.has(typeId));
    if (left.length === 0) continue;
    await changeSubscriber({ db: tx, now }, id, async (row) => {
      await writePreferences(tx, row, left.map(unsubscribed), now);
      return {};
    });
  }
}

/**
 * Takes back an unsubscribe by a message: the type of the message, or what was left by it when it is of none (`typeId`), and of
 * the subscribers that other units have of the same address what each of them left by it. Types that there are no more stay off.
 */
export async function takeBack(
  ctx: ChoiceContext,
  subscriberId: string,
  typeId: string | null,
  unsubscribedAt: string | null,
): Promise<void> {
  const known = await typeIdsOf(ctx.db);
  for (const id of await lockSelves(ctx.db, subscriberId)) {
    const byThis = unsubscribedAt === null ? [] : await listLeftTypes(ctx.db, id, unsubscribedAt);
    const isAsked = (left: string) => typeId === null || left === typeId;
    const left = id === subscriberId && typeId !== null ? [typeId] : byThis.filter(isAsked);
    const updates = left
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

/** Makes the next version of a subscriber who is there, and moves the counts of its groups when its activity changes. */
async function changeSubscriber(
  { db, now }: Pick<ChoiceContext, 'db' | 'now'>,
  subscriberId: string,
  change: (row: SubscriberRow) => Promise<Columns>,
): Promise<void> {
  const writer = { actor: { kind: 'subscriber', subscriberId } as const, db, now };
  await changeRecord(writer, subscribers, subscriberId, {}, async (row) => {
    const columns = await change(row);
    // It joins none, and those that it is in count it, and may be computed, by what it is then.
    const is = columns.active === undefined ? row.active : columns.active === true;
    await joinGroups(db, { subscriberId, groups: { lists: [], audiences: [] }, was: row.active, is }, now);
    return columns;
  });
}

/** What a choice makes of the person's activity; nothing where it stays. */
function activityOf(
  row: SubscriberRow,
  { markInactive = false, inactiveReason, comesBack = false }: Omit<Choice, 'updates' | 'replaceAll'>,
): Columns {
  if (row.active && markInactive) return { active: false, inactive_reason: inactiveReason?.trim() || LEFT };
  if (hasLeft(row) && comesBack && !markInactive) return { active: true, inactive_reason: null };
  return {};
}
