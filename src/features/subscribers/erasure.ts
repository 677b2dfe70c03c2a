/** What follows from deleting a subscriber, which is for good (docs/specification/subscribers.md#erasure). */
import type { MemberContext } from '../../http/context.ts';
import { normalizeAddress } from '../../mail/address.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
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

/** Removes what a feature holds of somebody, in the transaction that erases them. */
export type EraseTraces = (tx: ScopedDb, subscriberId: string, now: Date) => Promise<void>;

const registered = oncePerPlatform((): EraseTraces[] => []);

/** Says what else holds something of people: a feature that imports this one, once, at start. */
export function registerErasure(platform: Platform, erase: EraseTraces): void {
  registered(platform).push(erase);
}

/** Removes what is left elsewhere of a subscriber that was just deleted, in the same transaction. */
export async function eraseTraces(
  { db, platform, now }: MemberContext,
  subscriber: SubscriberRow,
): Promise<void> {
  const { id, owner_bu_id: ownerBuId } = subscriber;
  const { addresses, own } = await listAddresses(db, subscriber);
  await removeRowsBeside(db, subscriber);
  await eraseVersions(db, 'marketing_subscriber', [id]);
  for (const erase of registered(platform)) await erase(db, id, now);
  await deleteEventsOf(db, id);
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
