/** What other tables hold of a subscriber: its groups and its choices. */
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type Groups, leaveGroups, replaceGroups } from '../subscriber-groups/index.ts';
import { deletePreferences, writePreferences } from './queries.ts';
import type { SubscriberRow } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

/** A subscriber that is about to be made. */
export interface ComingSubscriber {
  readonly id: string;
  /** They exist. */
  readonly groups: Groups;
  readonly active: boolean;
  readonly updates: SubscriptionUpdates;
}

/** Writes them before the subscriber, so that its first version tells of them. */
export async function writeRowsBeside(
  tx: ScopedDb,
  { id, groups, active, updates }: ComingSubscriber,
  now: Date,
): Promise<void> {
  await replaceGroups(tx, { subscriberId: id, groups, was: false, is: active }, now);
  await writePreferences(tx, { id, created_at: now.toISOString() }, updates, now);
}

/** Removes them. */
export async function removeRowsBeside(
  tx: ScopedDb,
  { id, active }: Pick<SubscriberRow, 'id' | 'active'>,
): Promise<void> {
  await leaveGroups(tx, id, active);
  await deletePreferences(tx, id);
}
