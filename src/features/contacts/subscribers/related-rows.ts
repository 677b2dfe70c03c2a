/** Rows of a subscriber in other tables: groups and choices. */
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type Groups, leaveGroups, replaceGroups } from '../subscriber-groups/index.ts';
import { deletePreferences, writePreferences } from './queries.ts';
import type { SubscriberRow } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

/** A subscriber to create. */
export interface NewSubscriber {
  readonly id: string;
  /** Existing groups. */
  readonly groups: Groups;
  readonly active: boolean;
  readonly updates: SubscriptionUpdates;
}

/** Writes the rows before the subscriber, so that its first version includes them. */
export async function writeRelatedRows(
  tx: ScopedDb,
  { id, groups, active, updates }: NewSubscriber,
  now: Date,
): Promise<void> {
  await replaceGroups(tx, { subscriberId: id, groups, wasActive: false, isActive: active }, now);
  await writePreferences(tx, { id, created_at: now.toISOString() }, updates, now);
}

/** Deletes the related rows of a subscriber. */
export async function removeRelatedRows(
  tx: ScopedDb,
  { id, active }: Pick<SubscriberRow, 'id' | 'active'>,
): Promise<void> {
  await leaveGroups(tx, id, active);
  await deletePreferences(tx, id);
}
