/**
 * Unsubscribing with the link of a campaign message: from its type, or from all types if it has none. The link applies
 * to the address of the message: if the subscriber has another one now, only the old address is suppressed.
 */
import { normalizeAddress } from '../../../../mail/address.ts';
import type { MessageRef } from '../../../../mail/message-token.ts';
import type { Platform } from '../../../../platform.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { listUnsubscribedTypes, undoUnsubscribe, unsubscribe } from '../../../contacts/api.ts';
import { sendings, unsubscribeHandlers } from '../../../mail/api.ts';
import { findMailSubscribers } from './mail-subscribers.ts';

/** Unsubscribes with one click, and restores exactly what that click changed. */
export const campaignUnsubscribeHandler = unsubscribeHandlers.with({
  unsubscribe: async (platform, unsubscriptions) => {
    for (const each of unsubscriptions)
      await withRecipient(platform, each, (tx, { subscriberId, subscriptionTypeId }) =>
        unsubscribe(tx, subscriberId, subscriptionTypeId, each.occurredAt),
      );
  },
  isUnsubscribed: async (platform, { tenantId, messageId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const recipient = await findCurrentRecipient(db, messageId);
    if (recipient === null || recipient.subscriptionTypeId === null) return null;
    return (await listUnsubscribedTypes(db, recipient.subscriberId)).includes(recipient.subscriptionTypeId);
  },
  revertUnsubscribe: (platform, message) =>
    withRecipient(platform, message, (db, { subscriberId, subscriptionTypeId, unsubscribedAt }) =>
      undoUnsubscribe(
        { platform, db, now: platform.clock() },
        subscriberId,
        subscriptionTypeId,
        unsubscribedAt,
      ),
    ),
});

async function withRecipient(
  platform: Platform,
  { tenantId, messageId }: MessageRef,
  work: (tx: ScopedDb, recipient: sendings.CampaignRecipient) => Promise<void>,
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const recipient = await findCurrentRecipient(db, messageId);
  if (recipient !== null) await db.transaction((tx) => work(tx, recipient));
}

/** Returns the recipient of a message; null if their subscriber was erased or has another address now. */
async function findCurrentRecipient(
  db: ScopedDb,
  messageId: string,
): Promise<sendings.CampaignRecipient | null> {
  const recipient = await sendings.findCampaignRecipient(db, messageId);
  if (recipient === null) return null;
  const { subscriberId, recipient: address, subscriptionTypeId } = recipient;
  const subscriber = (await findMailSubscribers(db, [subscriberId], subscriptionTypeId)).get(subscriberId);
  return subscriber !== undefined && normalizeAddress(subscriber.email) === address ? recipient : null;
}
