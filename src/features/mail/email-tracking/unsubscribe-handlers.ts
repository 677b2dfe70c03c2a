/** Extension point for features that mail subscribers: they unsubscribe the subscriber, not only an address. */
import { ExtensionPoint } from '../../../extension-point.ts';
import type { MessageRef } from '../../../mail/message-token.ts';
import type { Platform } from '../../../platform.ts';

/** An unsubscribe through a link or address in a message. */
export interface Unsubscription extends MessageRef {
  readonly occurredAt: Date;
}

/** Unsubscribes and resubscribes the recipients of a feature's messages. Calls must be idempotent. */
export interface UnsubscribeHandler {
  /** Unsubscribes the recipients of messages. */
  unsubscribe(platform: Platform, unsubscriptions: readonly Unsubscription[]): Promise<void>;
  /** Returns true if the recipient has unsubscribed from the message's type; null if the message has no type. */
  isUnsubscribed(platform: Platform, message: MessageRef): Promise<boolean | null>;
  /** Reverts the unsubscription of a message's recipient. */
  revertUnsubscribe(platform: Platform, message: MessageRef): Promise<void>;
}

/** Handlers of the features that mail subscribers. */
export const unsubscribeHandlers = new ExtensionPoint<UnsubscribeHandler>();

/**
 * Unsubscribes the recipients of messages. Call it before recording the events: after a crash between the two, the call
 * is repeated.
 */
export async function unsubscribe(
  platform: Platform,
  unsubscriptions: readonly Unsubscription[],
): Promise<void> {
  if (unsubscriptions.length === 0) return;
  for (const handler of unsubscribeHandlers.of(platform))
    await handler.unsubscribe(platform, unsubscriptions);
}

/** Returns true if the recipient has unsubscribed from the message's type; null if no handler knows. */
export async function isUnsubscribed(platform: Platform, message: MessageRef): Promise<boolean | null> {
  for (const handler of unsubscribeHandlers.of(platform)) {
    const answer = await handler.isUnsubscribed(platform, message);
    if (answer !== null) return answer;
  }
  return null;
}

/** Reverts the unsubscription of a message's recipient. */
export async function revertUnsubscribe(platform: Platform, message: MessageRef): Promise<void> {
  for (const handler of unsubscribeHandlers.of(platform)) await handler.revertUnsubscribe(platform, message);
}
