import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Returns a random code of lower-case letters and digits for URLs. 12 characters have 62 bits: unique among any
 * realistic number of records, but not secret.
 */
export function shortCode(length = 12): string {
  // randomInt is unbiased; the remainder of a random byte would favour the first characters.
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
