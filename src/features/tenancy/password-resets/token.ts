/**
 * Tokens of `CONSOLE_URL/console/reset/{token}`, valid for an hour and only while the user's password is unchanged. So
 * a token works once, and no table stores it.
 */
import { createHash } from 'node:crypto';
import type { Platform } from '../../../platform.ts';
import { findUserById, type User } from '../memberships/index.ts';

const PURPOSE = 'password-reset';
const VALID_MS = 60 * 60 * 1000;

/** Returns the expiry of a link requested at `requestedAt`. */
export function endOfLink(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + VALID_MS);
}

/** Returns the URL of the page on which a user sets a new password. */
export function resetUrl(platform: Platform, user: User, expiresAt: Date): string {
  const token = platform.tokens.sign(PURPOSE, { user: user.user_id, password: digestOf(user) }, expiresAt);
  return `${platform.consoleUrl()}/console/reset/${token}`;
}

/** Returns the user of a token; null: the token is invalid, expired or used. */
export async function findUserByToken(platform: Platform, token: string, now: Date): Promise<User | null> {
  const { user: userId, password } = platform.tokens.verify(PURPOSE, token, now) ?? {};
  if (userId === undefined) return null;
  const user = await findUserById(platform.database.everyTenant('sign-in'), userId);
  return user !== undefined && digestOf(user) === password ? user : null;
}

/** Returns a digest that identifies a stored password without revealing it. */
function digestOf({ user_id, password_hash }: User): string {
  return createHash('sha256').update(`${user_id} ${password_hash}`).digest('base64url');
}
