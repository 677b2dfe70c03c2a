/** What follows from deleting a subscriber, which is for good (docs/specification/subscribers.md#erasure). */
import { ExtensionPoint } from '../../extension-point.ts';
import type { MemberContext } from '../../http/context.ts';
import { normalizeAddress } from '../../mail/address.ts';
import { eraseVersions, listFormerTexts } from '../../resources/history.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { eraseSuppression } from '../email-settings/index.ts';
import { forgetExports } from '../reports/index.ts';
import { eraseMessagesTo } from '../transmissions/index.ts';
import { listTakenAddresses } from './queries.ts';
import type { SubscriberRow } from './resource.ts';
import { removeRowsBeside } from './rows-beside.ts';
import { forgetConfirmationMail } from './sign-up/queries.ts';

/** Deletes the data that a feature stores about a subscriber, in the transaction that erases the subscriber. */
export type EraseTraces = (tx: ScopedDb, subscriberId: string, now: Date) => Promise<void>;

/** Features that store data about subscribers. */
export const subscriberErasure = new ExtensionPoint<EraseTraces>();

/** Removes what is left elsewhere of a subscriber that was just deleted, in the same transaction. */
export async function eraseTraces(
  { db, platform, now }: MemberContext,
  subscriber: SubscriberRow,
): Promise<void> {
  const { id, owner_bu_id: ownerBuId } = subscriber;
  const { addresses, own } = await listAddresses(db, subscriber);
  await removeRowsBeside(db, subscriber);
  await eraseVersions(db, 'marketing_subscriber', [id]);
  for (const erase of subscriberErasure.of(platform)) await erase(db, id, now);
  await eraseMessagesTo(db, { subscriberId: id, ownerBuId, addresses }, now);
  for (const address of own) {
    await forgetConfirmationMail(db, address);
    await eraseSuppression(platform.secrets, db, address);
  }
  await forgetExports(platform, db, 'subscribers');
}

/**
 * The addresses (normal forms) of a subscriber: that of its mail, and its earlier ones unless they are somebody else's now;
 * `own` are those of them that nobody else has.
 */
async function listAddresses(db: ScopedDb, { id, address_key: last }: SubscriberRow) {
  const earlier = await listFormerTexts(db, 'marketing_subscriber', id, 'email');
  const all = [...new Set([last, ...earlier.map(normalizeAddress)])];
  const taken = await listTakenAddresses(db, all);
  const own = all.filter((address) => !taken.includes(address));
  return { addresses: [...new Set([last, ...own])], own };
}
