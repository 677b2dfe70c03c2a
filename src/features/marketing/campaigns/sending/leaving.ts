/**
 * Unsubscribing by a message of a campaign: from its type, or from all types if it has none. A message acts for the
 * address that it was sent to: if the subscriber has another one now, only the old address is suppressed.
 */
import { normalizeAddress } from '../../../../mail/address.ts';
import type { MessageRef } from '../../../../mail/message-token.ts';
import type { Platform } from '../../../../platform.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { listUnsubscribedTypes, undoUnsubscribe, unsubscribe } from '../../../contacts/api.ts';
import type { UnsubscribeHandler } from '../../../mail/api.ts';
import { sendings } from '../../../mail/api.ts';
import { findMailSubscribers } from './mail-subscribers.ts';

/** Unsubscribes with one click, and restores exactly what that click changed. */
export const campaignUnsubscribeHandler: UnsubscribeHandler = {
  unsubscribe: async (platform, unsubscriptions) => {
    for (const each of unsubscriptions)
      await withAddressee(platform, each, (tx, { subscriberId, subscriptionTypeId }) =>
        unsubscribe(tx, subscriberId, subscriptionTypeId, each.occurredAt),
      );
  },
  isUnsubscribed: async (platform, { tenantId, messageId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const addressee = await findSubject(db, messageId);
    if (addressee === null || addressee.subscriptionTypeId === null) return null;
    return (await listUnsubscribedTypes(db, addressee.subscriberId)).includes(addressee.subscriptionTypeId);
  },
  revertUnsubscribe: (platform, message) =>
    withAddressee(platform, message, (db, { subscriberId, subscriptionTypeId, unsubscribedAt }) =>
      undoUnsubscribe(
        { platform, db, now: platform.clock() },
        subscriberId,
        subscriptionTypeId,
        unsubscribedAt,
      ),
    ),
};

async function withAddressee(
  platform: Platform,
  { tenantId, messageId }: MessageRef,
  work: (tx: ScopedDb, addressee: sendings.CampaignRecipient) => Promise<void>,
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const addressee = await findSubject(db, messageId);
  if (addressee !== null) await db.transaction((tx) => work(tx, addressee));
}

/** Returns the subscriber for whom a message acts; null if there is none, or it has another address now. */
async function findSubject(db: ScopedDb, messageId: string): Promise<sendings.CampaignRecipient | null> {
  const addressee = await sendings.findCampaignRecipient(db, messageId);
  if (addressee === null) return null;
  const { subscriberId, recipient, subscriptionTypeId } = addressee;
  const person = (await findMailSubscribers(db, [subscriberId], subscriptionTypeId)).get(subscriberId);
  return person !== undefined && normalizeAddress(person.email) === recipient ? addressee : null;
}
