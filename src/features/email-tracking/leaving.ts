/**
 * What follows for people, not addresses, when one of them unsubscribes by a message: a feature that knows whom messages
 * are to says so at start, as it imports this one.
 */
import type { MessageRef } from '../../mail/message-token.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';

/** Has people leave and come back. Both bear to be called twice. */
export interface Leaving {
  /** The recipients of these messages have unsubscribed. */
  leave(platform: Platform, messages: readonly MessageRef[]): Promise<void>;
  /** The recipient of a message takes that back. */
  comeBack(platform: Platform, message: MessageRef): Promise<void>;
}

const registered = oncePerPlatform((): Leaving[] => []);

/** Says what follows: once, at start. */
export function registerLeaving(platform: Platform, leaving: Leaving): void {
  registered(platform).push(leaving);
}

/** Has the recipients of these messages leave, before it is noted of the messages: so that it is never noted alone. */
export async function leave(platform: Platform, messages: readonly MessageRef[]): Promise<void> {
  if (messages.length === 0) return;
  for (const each of registered(platform)) await each.leave(platform, messages);
}

/** Has the recipient of a message come back. */
export async function comeBack(platform: Platform, message: MessageRef): Promise<void> {
  for (const each of registered(platform)) await each.comeBack(platform, message);
}
