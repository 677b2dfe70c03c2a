/** Passwords of people: Argon2id (RFC 9106) at the library's defaults, 19 MiB and 2 passes, which OWASP recommends. */
import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Without characters that are taken for another when copied by hand. */
const READABLE = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GENERATED_LENGTH = 20;

/** The hash to store, with its own salt and parameters (PHC string, `$argon2id$...`). */
export async function hashPassword(password: string): Promise<string> {
  return hash(normalize(password));
}

/**
 * Whether `password` is the one that `passwordHash` was made from.
 * @throws when `passwordHash` is not one that {@link hashPassword} gave.
 */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  return verify(passwordHash, normalize(password));
}

/** A random password of 20 characters (115 bits). */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
}

/** One keyboard sends "é" as one character and another as two (NIST SP 800-63B section 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
