/**
 * Tokens of `PUBLIC_URL/console/reset/{token}`, valid for an hour and only while the user's password is unchanged. So a
 * token works once, and no table stores it.
 */
import { createHash } from 'node:crypto';
import type { Platform } from '../../../platform.ts';
import { findUserById, type Person } from '../memberships/index.ts';

const PURPOSE = 'password-reset';
const VALID_MS = 60 * 60 * 1000;

/** Returns the expiry of a link requested at `askedAt`. */
export function endOfLink(askedAt: Date): Date {
  return new Date(askedAt.getTime() + VALID_MS);
}

/** Returns the URL of the page on which a user sets a new password. */
export function resetUrl(platform: Platform, person: Person, expiresAt: Date): string {
  const token = platform.tokens.sign(
    PURPOSE,
    { user: person.user_id, password: digestOf(person) },
    expiresAt,
  );
  return `${platform.publicUrl()}/console/reset/${token}`;
}

/** Returns the user of a token; null: the token is invalid, expired or used. */
export async function findUserByToken(platform: Platform, token: string, now: Date): Promise<Person | null> {
  const { user, password } = platform.tokens.verify(PURPOSE, token, now) ?? {};
  if (user === undefined) return null;
  const person = await findUserById(platform.database.everyTenant('sign-in'), user);
  return person !== undefined && digestOf(person) === password ? person : null;
}

/** Returns a digest that identifies a stored password without revealing it. */
function digestOf({ user_id, password_hash }: Person): string {
  return createHash('sha256').update(`${user_id} ${password_hash}`).digest('base64url');
}
