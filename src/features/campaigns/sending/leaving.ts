/** Unsubscribing by a message of a campaign: from its type, or from every type when it is of none. */
import type { MessageRef } from '../../../mail/message-token.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Leaving } from '../../email-tracking/index.ts';
import { chooseSubscriptions, turnOff } from '../../subscribers/index.ts';
import { findAddressee } from '../../transmissions/index.ts';

/** One click leaves the type of a message; the way back leads to the same type. */
export const campaignLeaving: Leaving = {
  leave: async (platform, messages) => {
    for (const message of messages)
      await withAddressee(platform, message, (tx, { subscriberId, subscriptionTypeId }) =>
        turnOff(tx, subscriberId, subscriptionTypeId, platform.clock()),
      );
  },
  comeBack: (platform, message) =>
    withAddressee(platform, message, async (db, { subscriberId, subscriptionTypeId }) => {
      if (subscriptionTypeId === null) return;
      const updates = [{ subscription_type_id: subscriptionTypeId, subscribe: true }];
      await chooseSubscriptions({ platform, db, now: platform.clock() }, subscriberId, {
        updates,
        replaceAll: false,
      });
    }),
};

interface Addressee {
  readonly subscriberId: string;
  readonly subscriptionTypeId: string | null;
}

async function withAddressee(
  platform: Platform,
  { tenantId, messageId }: MessageRef,
  work: (tx: ScopedDb, addressee: Addressee) => Promise<void>,
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const addressee = await findAddressee(db, messageId);
  if (addressee !== null) await db.transaction((tx) => work(tx, addressee));
}
