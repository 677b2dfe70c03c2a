/** Passwords of users: Argon2id (RFC 9106) at the library's defaults, 19 MiB and 2 passes, which OWASP recommends. */
import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Letters and digits that are not mistaken for each other when copied by hand. */
const READABLE = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GENERATED_LENGTH = 20;

/** Returns the hash to store, with its own salt and parameters (PHC string, `$argon2id$...`). */
export async function hashPassword(password: string): Promise<string> {
  return hash(normalize(password));
}

/**
 * Returns true if `passwordHash` is a hash of `password`.
 * @throws if `passwordHash` was not created by {@link hashPassword}.
 */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  return verify(passwordHash, normalize(password));
}

/** Returns a random password of 20 characters (115 bits). */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
}

/** Normalizes Unicode: keyboards send "é" as one character or as two (NIST SP 800-63B section 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
