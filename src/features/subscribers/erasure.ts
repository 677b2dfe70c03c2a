/** What follows from deleting a subscriber, which is for good (docs/specification/subscribers.md#erasure). */
import type { MemberContext } from '../../http/context.ts';
import { normalizeAddress } from '../../mail/address.ts';
import { eraseVersions, listFormerTexts } from '../../resources/history.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { eraseSuppression } from '../email-settings/index.ts';
import { deleteEventsOf } from '../marketing-events/index.ts';
import { forgetExports } from '../reports/index.ts';
import { eraseMessagesTo } from '../transmissions/index.ts';
import { listTakenAddresses } from './queries.ts';
import type { SubscriberRow } from './resource.ts';
import { removeRowsBeside } from './rows-beside.ts';
import { forgetConfirmationMail } from './sign-up/queries.ts';

/** Removes what is left elsewhere of a subscriber that was just deleted, in the same transaction. */
export async function eraseTraces(
  { db, platform, now }: MemberContext,
  subscriber: SubscriberRow,
): Promise<void> {
  const { id, owner_bu_id: ownerBuId } = subscriber;
  const addresses = await listAddresses(db, subscriber);
  await removeRowsBeside(db, subscriber);
  await eraseVersions(db, 'marketing_subscriber', [id]);
  await deleteEventsOf(db, id);
  await eraseMessagesTo(db, { subscriberId: id, ownerBuId, addresses }, now);
  for (const address of addresses) {
    await forgetConfirmationMail(db, address);
    await eraseSuppression(platform.secrets, db, address);
  }
  await forgetExports(platform, db, 'subscribers');
}

/** The addresses (normal forms) of a subscriber, its earlier ones too: not those that are somebody else's now. */
async function listAddresses(db: ScopedDb, { id, address_key: last }: SubscriberRow): Promise<string[]> {
  const earlier = await listFormerTexts(db, 'marketing_subscriber', id, 'email');
  const addresses = earlier.map(normalizeAddress);
  const taken = await listTakenAddresses(db, addresses);
  return [...new Set([last, ...addresses.filter((address) => !taken.includes(address))])];
}
