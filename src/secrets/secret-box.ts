/**
 * Encryption of secrets at rest: `s1.<key id>.<nonce, ciphertext and tag>`, AES-256-GCM (NIST SP 800-38D) with a
 * random 96-bit nonce. The record's id is associated data, so a sealed value copied to another record does not open.
 * The key id tells which SECRET_KEY sealed a value, so that a changed key is recognised and a rotation can find what
 * is left to do.
 */
import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { decodeBase64Url } from './base64url.ts';
import { deriveKeys, type SecretKeys } from './derived-key.ts';

const CIPHER = 'aes-256-gcm';
const FORMAT = 's1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals under SECRET_KEY, and opens what that or SECRET_KEY_PREVIOUS sealed. Synchronous: a delivery opens its headers
 * while it is being sent.
 */
export interface SecretBox {
  /** Names the key that seals. */
  readonly keyId: string;
  /** Names the keys whose values open, that one included. */
  readonly keyIds: readonly string[];
  /** Encrypts; two calls never give the same text. Lone surrogates become U+FFFD, as in any UTF-8. */
  seal(plaintext: string, recordId: string): string;
  /** @throws SecretBoxError when the value was altered, belongs to another record, or another key sealed it. */
  open(sealed: string, recordId: string): string;
}

/** A sealed value cannot be opened. The message never holds the value. */
export class SecretBoxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretBoxError';
  }
}

/** What is told of a webhook whose secrets cannot be opened. */
export const SECRET_KEY_CHANGED = 'A secret of the webhook cannot be opened: SECRET_KEY has changed.';

/** What `open` makes of sealed values; null when one of them cannot be opened. */
export function openedOrNull<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

/** A box under these keys. */
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
        throw new SecretBoxError('The sealed value was altered or belongs to another record.');
      }
    },
  };
}

/** How every value begins that the key of this id sealed. */
export function sealedWith(keyId: string): string {
  return `${FORMAT}.${keyId}.`;
}

/** A sealed value, wherever it stands in a text; its first group is the id of its key. */
export const SEALED_VALUE: RegExp = /s1\.([A-Za-z0-9_-]{8})\.[A-Za-z0-9_-]{38,}/g;

function readSealed(
  sealed: string,
  keys: ReadonlyMap<string, KeyObject>,
): { readonly bytes: Buffer; readonly key: KeyObject } {
  const [format, sealedBy = '', payload, ...rest] = sealed.split('.');
  if (format !== FORMAT || payload === undefined || rest.length > 0) {
    throw new SecretBoxError('The value is not a sealed one.');
  }
  const key = keys.get(sealedBy);
  if (key === undefined) {
    throw new SecretBoxError('The value was sealed with another SECRET_KEY.');
  }
  const bytes = decodeBase64Url(payload);
  if (bytes === null || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new SecretBoxError('The value is not a sealed one.');
  }
  return { bytes, key };
}

/** Names a key without telling anything about it. */
function fingerprint(key: KeyObject): string {
  return createHmac('sha256', key).update('key id').digest('base64url').slice(0, 8);
}
