/**
 * What follows for people, not addresses, when one of them unsubscribes by a message: a feature that knows whom messages
 * are to says so at start, as it imports this one.
 */
import type { MessageRef } from '../../mail/message-token.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';

/** Somebody who unsubscribes by a message. */
export interface Leave extends MessageRef {
  readonly occurredAt: Date;
}

/** Has people leave and come back. Both bear to be called twice. */
export interface Leaving {
  /** The recipients of these messages have unsubscribed. */
  leave(platform: Platform, leaves: readonly Leave[]): Promise<void>;
  /** Whether the recipient has left what the message is of; null: it is of nothing that can be left by itself. */
  hasLeft(platform: Platform, message: MessageRef): Promise<boolean | null>;
  /** The recipient of a message takes that back. */
  comeBack(platform: Platform, message: MessageRef): Promise<void>;
}

const registered = oncePerPlatform((): Leaving[] => []);

/** Says what follows: once, at start. */
export function registerLeaving(platform: Platform, leaving: Leaving): void {
  registered(platform).push(leaving);
}

/** Has the recipients of these messages leave, before it is noted of the messages: so that it is never noted alone. */
export async function leave(platform: Platform, leaves: readonly Leave[]): Promise<void> {
  if (leaves.length === 0) return;
  for (const each of registered(platform)) await each.leave(platform, leaves);
}

/** Whether the recipient has left what a message is of; null: the suppressions alone tell. */
export async function hasLeft(platform: Platform, message: MessageRef): Promise<boolean | null> {
  for (const each of registered(platform)) {
    const answer = await each.hasLeft(platform, message);
    if (answer !== null) return answer;
  }
  return null;
}

/** Has the recipient of a message come back. */
export async function comeBack(platform: Platform, message: MessageRef): Promise<void> {
  for (const each of registered(platform)) await each.comeBack(platform, message);
}
