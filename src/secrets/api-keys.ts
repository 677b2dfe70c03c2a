/**
 * API keys: `tsk_<16 base32>_<43 base64url>` (docs/specification/tenants.md#api-keys). The first half finds the row and
 * may appear in lists and logs; only a digest of the second is stored. SHA-256 without salt or stretching suffices,
 * because the secret is 256 random bits and not a password, and it is fast enough for every request.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const API_KEY = /^(tsk_[a-z2-7]{16})_([A-Za-z0-9_-]{43})$/;

/** Stored parts of a key: `prefix` is `tsk_` and 16 characters, `digest` the 32-byte SHA-256 of the secret's text. */
export interface ApiKeyParts {
  prefix: string;
  digest: Buffer;
}

/** Creates a key; `apiKey` is shown once and not stored. */
export function generateApiKey(): ApiKeyParts & { apiKey: string } {
  // 32 divides 256, so five bits of each byte are unbiased.
  const prefix = `tsk_${Array.from(randomBytes(16), (byte) => BASE32.charAt(byte & 31)).join('')}`;
  const secret = randomBytes(32).toString('base64url');
  return { apiKey: `${prefix}_${secret}`, prefix, digest: digestOf(secret) };
}

/** Parses a key; returns null if the text cannot be one. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const [, prefix, secret] = API_KEY.exec(text) ?? [];
  return prefix === undefined || secret === undefined ? null : { prefix, digest: digestOf(secret) };
}

/** Compares digests (or other secret bytes) in a time that depends only on their lengths. */
export function digestsEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
