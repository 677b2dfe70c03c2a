/** What follows from deleting a subscriber, which is for good (docs/specification/subscribers.md#erasure). */
import type { MemberContext } from '../../http/context.ts';
import { eraseVersions } from '../../resources/history.ts';
import { eraseSuppression } from '../email-settings/index.ts';
import { deleteEventsOf } from '../marketing-events/index.ts';
import { forgetExports } from '../reports/index.ts';
import { eraseMessagesTo } from '../transmissions/index.ts';
import type { SubscriberRow } from './resource.ts';
import { removeRowsBeside } from './rows-beside.ts';
import { forgetConfirmationMail } from './sign-up/queries.ts';

/** Removes what is left elsewhere of a subscriber that was just deleted, in the same transaction. */
export async function eraseTraces(
  { db, platform, now }: MemberContext,
  subscriber: SubscriberRow,
): Promise<void> {
  const { id, owner_bu_id: ownerBuId, address_key: recipient } = subscriber;
  await removeRowsBeside(db, subscriber);
  await eraseVersions(db, 'marketing_subscriber', [id]);
  await deleteEventsOf(db, id);
  await forgetConfirmationMail(db, recipient);
  await eraseMessagesTo(db, { recipient, ownerBuId }, now);
  await eraseSuppression(platform.secrets, db, recipient);
  await forgetExports(platform, db, 'subscribers');
}
