import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The keys of an installation, 32 bytes each; `secretKeyPrevious` is set during a rotation. */
export interface SecretKeys {
  readonly secretKey: Buffer;
  readonly secretKeyPrevious: Buffer | null;
}

/**
 * Derives a 256-bit key for one purpose (HKDF-SHA-256, RFC 5869, label as info). Derived keys are independent of each
 * other. The label is part of the stored format: with another label, existing values become unreadable.
 */
export function deriveKey(secretKey: Buffer, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', `tessera/${label}`, 32)));
}

/** Derives the keys of one purpose: the first encrypts or signs, each of them decrypts or verifies. */
export function deriveKeys(
  { secretKey, secretKeyPrevious }: SecretKeys,
  label: string,
): readonly [KeyObject, ...KeyObject[]] {
  const previous = secretKeyPrevious === null ? [] : [deriveKey(secretKeyPrevious, label)];
  return [deriveKey(secretKey, label), ...previous];
}
