/** Unsubscribing by a message of a campaign: from its type, or from every type when it is of none. */
import type { MessageRef } from '../../../mail/message-token.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Leaving } from '../../email-tracking/index.ts';
import { listLeftTypes, takeBack, turnOff } from '../../subscribers/index.ts';
import { type Addressee, findAddressee } from '../../transmissions/index.ts';

/** One click leaves the type of a message, or every type; the way back leads to what was left by it. */
export const campaignLeaving: Leaving = {
  leave: async (platform, leaves) => {
    for (const each of leaves)
      await withAddressee(platform, each, (tx, { subscriberId, subscriptionTypeId }) =>
        turnOff(tx, subscriberId, subscriptionTypeId, each.occurredAt),
      );
  },
  hasLeft: async (platform, { tenantId, messageId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const addressee = await findAddressee(db, messageId);
    if (addressee === null || addressee.subscriptionTypeId === null) return null;
    return (await listLeftTypes(db, addressee.subscriberId)).includes(addressee.subscriptionTypeId);
  },
  comeBack: (platform, message) =>
    withAddressee(platform, message, (db, { subscriberId, subscriptionTypeId, unsubscribedAt }) =>
      takeBack({ platform, db, now: platform.clock() }, subscriberId, subscriptionTypeId, unsubscribedAt),
    ),
};

async function withAddressee(
  platform: Platform,
  { tenantId, messageId }: MessageRef,
  work: (tx: ScopedDb, addressee: Addressee) => Promise<void>,
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const addressee = await findAddressee(db, messageId);
  if (addressee !== null) await db.transaction((tx) => work(tx, addressee));
}
