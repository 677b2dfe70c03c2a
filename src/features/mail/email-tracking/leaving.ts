/** Unsubscribing through a message, where its recipient is a subscriber and not only an address. */

import { ExtensionPoint } from '../../../extension-point.ts';
import type { MessageRef } from '../../../mail/message-token.ts';
import type { Platform } from '../../../platform.ts';

/** An unsubscription through a message. */
export interface Leave extends MessageRef {
  readonly occurredAt: Date;
}

/** Unsubscribes and resubscribes the recipients of a feature's messages. Every call may be repeated. */
export interface Leaving {
  /** Unsubscribes the recipients of messages. */
  leave(platform: Platform, leaves: readonly Leave[]): Promise<void>;
  /** Returns true if the recipient has unsubscribed from the message's type; null if the message has none. */
  hasLeft(platform: Platform, message: MessageRef): Promise<boolean | null>;
  /** Reverts the unsubscription of a message's recipient. */
  comeBack(platform: Platform, message: MessageRef): Promise<void>;
}

/** Features that send messages to subscribers. */
export const messageLeaving = new ExtensionPoint<Leaving>();

/** Unsubscribes the recipients of messages. Call it before the event is recorded, so that no event stands alone. */
export async function leave(platform: Platform, leaves: readonly Leave[]): Promise<void> {
  if (leaves.length === 0) return;
  for (const each of messageLeaving.of(platform)) await each.leave(platform, leaves);
}

/** Returns true if the recipient has unsubscribed from the message's type; null if only suppressions decide. */
export async function hasLeft(platform: Platform, message: MessageRef): Promise<boolean | null> {
  for (const each of messageLeaving.of(platform)) {
    const answer = await each.hasLeft(platform, message);
    if (answer !== null) return answer;
  }
  return null;
}

/** Reverts the unsubscription of a message's recipient. */
export async function comeBack(platform: Platform, message: MessageRef): Promise<void> {
  for (const each of messageLeaving.of(platform)) await each.comeBack(platform, message);
}
