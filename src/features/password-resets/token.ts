/**
 * The tokens of `PUBLIC_URL/console/reset/{token}`: good for an hour, and only while the person has the password that they had
 * when the token was made. So a token works once, and no table holds it.
 */
import { createHash } from 'node:crypto';
import type { Platform } from '../../platform.ts';
import { findPersonById, type Person } from '../memberships/index.ts';

const PURPOSE = 'password-reset';
const VALID_MS = 60 * 60 * 1000;

/** The moment at which a link that was asked for at `askedAt` ends. */
export function endOfLink(askedAt: Date): Date {
  return new Date(askedAt.getTime() + VALID_MS);
}

/** The address of the page on which a person sets a new password. */
export function resetUrl(platform: Platform, person: Person, expiresAt: Date): string {
  const token = platform.tokens.sign(
    PURPOSE,
    { user: person.user_id, password: digestOf(person) },
    expiresAt,
  );
  return `${platform.publicUrl()}/console/reset/${token}`;
}

/** The person whom a token lets set a new password; null when it is not valid, over or used. */
export async function findPersonOf(platform: Platform, token: string, now: Date): Promise<Person | null> {
  const { user, password } = platform.tokens.verify(PURPOSE, token, now) ?? {};
  if (user === undefined) return null;
  const person = await findPersonById(platform.database.everyTenant('sign-in'), user);
  return person !== undefined && digestOf(person) === password ? person : null;
}

/** Names a stored password without telling anything of it. */
function digestOf({ user_id, password_hash }: Person): string {
  return createHash('sha256').update(`${user_id} ${password_hash}`).digest('base64url');
}
