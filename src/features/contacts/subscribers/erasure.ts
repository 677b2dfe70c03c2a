/** Erasure: permanent deletion of a subscriber (docs/specification/subscribers.md#erasure). */

import { ExtensionPoint } from '../../../extension-point.ts';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import { eraseVersions, listFormerTexts } from '../../../resources/history.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { eraseSuppression } from '../../email-settings/api.ts';
import { eraseMessagesTo } from '../../mail/api.ts';
import { eraseExports } from '../../reports/api.ts';
import { listTakenAddresses } from './queries.ts';
import { removeRelatedRows } from './related-rows.ts';
import type { SubscriberRow } from './resource.ts';
import { deleteConfirmationMail } from './sign-up/queries.ts';

/** Deletes the data that a feature stores about a subscriber, in the transaction that erases the subscriber. */
export type EraseSubscriberData = (tx: ScopedDb, subscriberId: string, now: Date) => Promise<void>;

/** Features that store data about subscribers. */
export const subscriberErasure = new ExtensionPoint<EraseSubscriberData>();

/** Context of an erasure; `db` is the transaction of the deletion. */
type ErasureContext = Pick<MemberContext, 'db' | 'platform' | 'now'>;

/** Deletes the data of deleted subscribers in other tables, in the transaction of the deletion. */
export async function eraseSubscriberData(
  ctx: ErasureContext,
  deleted: readonly SubscriberRow[],
): Promise<void> {
  if (deleted.length === 0) return;
  for (const subscriber of deleted) await eraseDataOf(ctx, subscriber);
  await eraseExports(ctx.platform, ctx.db, 'subscribers');
}

async function eraseDataOf({ db, platform, now }: ErasureContext, subscriber: SubscriberRow): Promise<void> {
  const { id, owner_bu_id: ownerBuId } = subscriber;
  const { addresses, own } = await listAddresses(db, subscriber);
  await removeRelatedRows(db, subscriber);
  await eraseVersions(db, 'marketing_subscriber', [id]);
  for (const erase of subscriberErasure.of(platform)) await erase(db, id, now);
  await eraseMessagesTo(db, { subscriberId: id, ownerBuId, addresses }, now);
  for (const address of own) {
    await deleteConfirmationMail(db, address);
    await eraseSuppression(platform.secrets, db, address);
  }
}

/**
 * Lists the normalized addresses of a subscriber: the current one, and former ones that no other subscriber has now.
 * `own` are the addresses that no other subscriber has.
 */
async function listAddresses(db: ScopedDb, { id, address_key: current }: SubscriberRow) {
  const former = await listFormerTexts(db, 'marketing_subscriber', id, 'email');
  const all = [...new Set([current, ...former.map(normalizeAddress)])];
  const taken = await listTakenAddresses(db, all);
  const own = all.filter((address) => !taken.includes(address));
  return { addresses: [...new Set([current, ...own])], own };
}
