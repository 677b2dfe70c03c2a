import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The keys of an installation, 32 bytes each; `secretKeyPrevious` is that of before, while a rotation goes on. */
export interface SecretKeys {
  readonly secretKey: Buffer;
  readonly secretKeyPrevious: Buffer | null;
}

/**
 * A 256-bit key for one purpose (HKDF-SHA-256, RFC 5869, label as info): what leaks about one key, or is accepted
 * under it, says nothing about another. The label is part of the stored format: changing one orphans what it made.
 */
export function deriveKey(secretKey: Buffer, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', `tessera/${label}`, 32)));
}

/** The keys of one purpose: the first makes what is new, any of them reads what was made before. */
export function deriveKeys(
  { secretKey, secretKeyPrevious }: SecretKeys,
  label: string,
): readonly [KeyObject, ...KeyObject[]] {
  const before = secretKeyPrevious === null ? [] : [deriveKey(secretKeyPrevious, label)];
  return [deriveKey(secretKey, label), ...before];
}
