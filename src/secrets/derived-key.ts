import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * A 256-bit key for one purpose (HKDF-SHA-256, RFC 5869, label as info): what leaks about one key, or is accepted
 * under it, says nothing about another. The label is part of the stored format: changing one orphans what it made.
 */
export function deriveKey(secretKey: Buffer, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', `tessera/${label}`, 32)));
}
