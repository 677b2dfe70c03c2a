/** Recipient data of messages to subscribers, read when the messages are built. */
import { ExtensionPoint } from '../../../../extension-point.ts';
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import type { StoredCampaign } from '../tables.ts';
import type { LoadedMessage, TransmissionHead } from './queries.ts';

/** Data of a message's recipient. */
export interface RecipientData {
  /** Template data; absent if the subscriber is gone or the message contains its data itself. */
  readonly data?: object;
  /** True if the subscriber's address has changed since the message was created. */
  readonly hasNewAddress?: boolean;
  /** Rule that suppresses the message. */
  readonly suppressedBy?: string;
}

/** Viewer of a message: its recipient, or anyone else (`preview`), for whom its links have no effect. */
export type Viewer = 'recipient' | 'preview';

/** Reads the recipients of messages. */
export interface RecipientResolver {
  /** Returns the data of the recipients by message id. */
  resolve(
    platform: Platform,
    db: ScopedDb,
    sending: Pick<TransmissionHead, 'id' | 'created_at'> & { readonly campaign: StoredCampaign },
    messages: readonly LoadedMessage[],
    viewer: Viewer,
  ): Promise<ReadonlyMap<string, RecipientData>>;
}

/** The feature that reads the recipients of campaigns. */
export const campaignRecipients = new ExtensionPoint<RecipientResolver>();

/** Returns the data of the recipients of messages by message id; null for mail to addresses alone. */
export async function resolveRecipients(
  platform: Platform,
  db: ScopedDb,
  { id, created_at, options: { campaign } }: TransmissionHead,
  messages: readonly LoadedMessage[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, RecipientData> | null> {
  if (campaign === undefined) return null;
  const [resolver] = campaignRecipients.of(platform);
  if (resolver === undefined) throw new Error('No feature reads the recipients of campaigns.');
  const sending = { id: sendingIdOf(id, messages), created_at, campaign };
  return resolver.resolve(platform, db, sending, messages, viewer);
}

/** Returns the sending of messages with the content of a transmission: retried messages belong to another sending. */
export function sendingIdOf(transmissionId: string, messages: readonly LoadedMessage[]): string {
  return messages[0]?.transmission_id ?? transmissionId;
}
