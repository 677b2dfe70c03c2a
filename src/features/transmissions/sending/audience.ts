/** Recipient data of messages to subscribers, read when the messages are made. */
import { ExtensionPoint } from '../../../extension-point.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { StoredCampaign } from '../tables.ts';
import type { LoadedMessage, TransmissionHead } from './queries.ts';

/** What a message needs to know of its recipient. */
export interface Told {
  /** What templates see; absent: nobody is there any more, or the message has its data itself. */
  readonly data?: object;
  /** The subscriber has another address than the message goes to. */
  readonly hasNewAddress?: boolean;
  /** The rule for which there is to be no message. */
  readonly keptBackBy?: string;
  /** Its sending was cancelled. */
  readonly isCancelled?: boolean;
}

/** Who sees a message: its recipient, for whom its links act, or somebody else (`preview`), whose links act for nobody. */
export type Viewer = 'recipient' | 'preview';

/** Whom messages are to. */
export interface Audience {
  /** What is told of the recipients, by message id. */
  tell(
    platform: Platform,
    db: ScopedDb,
    sending: Pick<TransmissionHead, 'id' | 'created_at'> & { readonly campaign: StoredCampaign },
    messages: readonly LoadedMessage[],
    viewer: Viewer,
  ): Promise<ReadonlyMap<string, Told>>;
}

/** The feature that reads the recipients of campaigns. */
export const campaignRecipients = new ExtensionPoint<Audience>();

/** What is known of the recipients of a sending's messages, by message id; null for mail to addresses alone. */
export async function tellRecipients(
  platform: Platform,
  db: ScopedDb,
  { id, created_at, options: { campaign } }: TransmissionHead,
  messages: readonly LoadedMessage[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, Told> | null> {
  if (campaign === undefined) return null;
  const [audience] = campaignRecipients.of(platform);
  if (audience === undefined) throw new Error('No feature reads the recipients of campaigns.');
  // Messages that are tried again have the content of another transmission.
  const sendingId = messages[0]?.transmission_id ?? id;
  return audience.tell(platform, db, { id: sendingId, created_at, campaign }, messages, viewer);
}
