/** What follows from deleting a subscriber, which is for good (docs/specification/subscribers.md#erasure). */
import type { MemberContext } from '../../http/context.ts';
import { eraseVersions } from '../../resources/history.ts';
import { eraseSuppression } from '../email-settings/index.ts';
import { deleteEventsOf } from '../marketing-events/index.ts';
import { replaceGroups } from '../subscriber-groups/index.ts';
import { eraseMessagesTo } from '../transmissions/index.ts';
import { countSubscribers, deletePreferences } from './queries.ts';
import type { SubscriberRow } from './resource.ts';

/** Removes what is left elsewhere of a subscriber that was just deleted, in the same transaction. */
export async function eraseTraces(
  { db, platform, now }: MemberContext,
  { id, owner_bu_id: ownerBuId, address_key: recipient, active }: SubscriberRow,
): Promise<void> {
  const groups = { lists: [], audiences: [] };
  await replaceGroups(db, { subscriberId: id, groups, was: active, is: false });
  await deletePreferences(db, id);
  await countSubscribers(db, ownerBuId, -1);
  await eraseVersions(db, 'marketing_subscriber', [id]);
  await deleteEventsOf(db, id);
  await eraseMessagesTo(db, { recipient, ownerBuId }, now);
  await eraseSuppression(platform.secrets, db, recipient);
}
