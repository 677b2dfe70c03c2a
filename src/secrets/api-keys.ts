/**
 * API keys: `tsk_<16 base32>_<43 base64url>` (docs/specification/tenants.md#api-keys). The first half finds
 * the row and may be shown in lists and logs; of the second only a digest is stored. SHA-256 without salt or
 * stretching is enough, and fast enough for every request, because the secret is 256 random bits rather than
 * something a person chose.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const API_KEY = /^(tsk_[a-z2-7]{16})_([A-Za-z0-9_-]{43})$/;

/** What is stored of a key: `prefix` is `tsk_` and 16 characters, `digest` the 32-byte SHA-256 of the secret's text. */
export interface ApiKeyParts {
  prefix: string;
  digest: Buffer;
}

/** A new key; `apiKey` is shown once and kept nowhere. */
export function generateApiKey(): ApiKeyParts & { apiKey: string } {
  // 32 divides 256, so taking five bits of each byte favours no character.
  const prefix = `tsk_${Array.from(randomBytes(16), (byte) => BASE32.charAt(byte & 31)).join('')}`;
  const secret = randomBytes(32).toString('base64url');
  return { apiKey: `${prefix}_${secret}`, prefix, digest: digestOf(secret) };
}

/** Takes a presented key apart, or null when it cannot be one. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const [, prefix, secret] = API_KEY.exec(text) ?? [];
  return prefix === undefined || secret === undefined ? null : { prefix, digest: digestOf(secret) };
}

/** Compares digests (or other secrets as bytes) in a time that depends on their lengths alone. */
export function digestsEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
