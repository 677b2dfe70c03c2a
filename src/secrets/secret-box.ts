/**
 * Encryption of secrets at rest: `s1.<key id>.<nonce, ciphertext and tag>`, AES-256-GCM (NIST SP 800-38D) with a random
 * 96-bit nonce. The record's id is associated data, so a value copied to another record cannot be decrypted. The key id
 * identifies the SECRET_KEY of a value, so that a changed key is detected and a rotation finds the remaining
 * values.
 */
import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { decodeBase64Url } from './base64url.ts';
import { deriveKeys, type SecretKeys } from './derived-key.ts';

const CIPHER = 'aes-256-gcm';
const FORMAT = 's1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with SECRET_KEY, and decrypts with that or SECRET_KEY_PREVIOUS. Synchronous, because a delivery decrypts its
 * headers while it is being sent.
 */
export interface SecretBox {
  /** Id of the key that encrypts. */
  readonly keyId: string;
  /** Ids of all keys that decrypt, including `keyId`. */
  readonly keyIds: readonly string[];
  /** Encrypts; two calls never return the same text. Lone surrogates become U+FFFD, as always in UTF-8. */
  seal(plaintext: string, recordId: string): string;
  /** Decrypts. @throws SecretBoxError if the value was altered, belongs to another record or needs another key. */
  open(sealed: string, recordId: string): string;
}

/** Thrown when a value cannot be decrypted. The message never contains the value. */
export class SecretBoxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretBoxError';
  }
}

/** Error of a webhook whose secrets cannot be decrypted. */
export const SECRET_KEY_CHANGED = 'A secret of the webhook cannot be decrypted: SECRET_KEY has changed.';

/** Returns the result of `open`; null if a value cannot be decrypted. */
export function openedOrNull<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

/** Creates a box with these keys. */
export function createSecretBox(keys: SecretKeys): SecretBox {
  const derived = deriveKeys(keys, 'secret-box');
  const [key] = derived;
  const keyId = fingerprint(key);
  const byId = new Map(derived.map((each) => [fingerprint(each), each]));
  return {
    keyId,
    keyIds: [...byId.keys()],
    seal(plaintext, recordId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(recordId),
      );
      const bytes = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${sealedWith(keyId)}${bytes.toString('base64url')}`;
    },
    open(sealed, recordId) {
      const { bytes, key: sealedBy } = readSealed(sealed, byId);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, sealedBy, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(recordId))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch {
        throw new SecretBoxError('The encrypted value was altered or belongs to another record.');
      }
    },
  };
}

/** Returns the prefix of all values encrypted with the key of this id. */
export function sealedWith(keyId: string): string {
  return `${FORMAT}.${keyId}.`;
}

/** Matches encrypted values within a text; the first group is the id of the key. */
export const SEALED_VALUE: RegExp = /s1\.([A-Za-z0-9_-]{8})\.[A-Za-z0-9_-]{38,}/g;

function readSealed(
  sealed: string,
  keys: ReadonlyMap<string, KeyObject>,
): { readonly bytes: Buffer; readonly key: KeyObject } {
  const [format, sealedBy = '', payload, ...rest] = sealed.split('.');
  if (format !== FORMAT || payload === undefined || rest.length > 0) {
    throw new SecretBoxError('The value is not encrypted.');
  }
  const key = keys.get(sealedBy);
  if (key === undefined) {
    throw new SecretBoxError('The value was encrypted with another SECRET_KEY.');
  }
  const bytes = decodeBase64Url(payload);
  if (bytes === null || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new SecretBoxError('The value is not encrypted.');
  }
  return { bytes, key };
}

/** Returns an id of a key that reveals nothing about it. */
function fingerprint(key: KeyObject): string {
  return createHmac('sha256', key).update('key id').digest('base64url').slice(0, 8);
}
