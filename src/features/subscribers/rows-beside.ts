/** What other tables hold of a subscriber: its groups, its choices, and that it is counted. */
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type Groups, leaveGroups, replaceGroups } from '../subscriber-groups/index.ts';
import { countSubscribers, deletePreferences, writePreferences } from './queries.ts';
import type { SubscriberRow } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

/** A subscriber that is about to be made. */
export interface ComingSubscriber {
  readonly id: string;
  readonly ownerBuId: string;
  /** They exist. */
  readonly groups: Groups;
  readonly active: boolean;
  readonly updates: SubscriptionUpdates;
}

/** Writes them before the subscriber, so that its first version tells of them. */
export async function writeRowsBeside(
  tx: ScopedDb,
  { id, ownerBuId, groups, active, updates }: ComingSubscriber,
  now: Date,
): Promise<void> {
  await replaceGroups(tx, { subscriberId: id, groups, was: false, is: active }, now);
  await writePreferences(tx, { id, created_at: now.toISOString() }, updates, now);
  await countSubscribers(tx, ownerBuId, 1);
}

/** Removes them. */
export async function removeRowsBeside(
  tx: ScopedDb,
  { id, owner_bu_id: ownerBuId, active }: Pick<SubscriberRow, 'id' | 'owner_bu_id' | 'active'>,
): Promise<void> {
  await leaveGroups(tx, id, active);
  await deletePreferences(tx, id);
  await countSubscribers(tx, ownerBuId, -1);
}
