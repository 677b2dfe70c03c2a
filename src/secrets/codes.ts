import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * A random code of lower-case letters and digits, fit for URLs. 12 characters carry 62 bits: unique for all practical
 * counts of records, but not a secret.
 */
export function shortCode(length = 12): string {
  // randomInt draws without bias; a remainder of a random byte would favour the first characters.
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
