/**
 * Small signed texts that carry their own claims: links in e-mails, the active business unit, downloads.
 * `<payload>.<HMAC-SHA-256>`, both base64url. One key per purpose, so a token never serves another purpose.
 * Not JWT: signing and checking happen for every link of every message and on every request, and must be
 * synchronous (jose answers in promises); nobody but this system reads these tokens.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { digestsEqual } from './api-keys.ts';
import { decodeBase64Url } from './base64url.ts';
import { deriveKeys, type SecretKeys } from './derived-key.ts';

/** Signs and checks tokens. `purpose` is a word of the code ("business-unit"), never a caller's input. */
export interface TokenSigner {
  /**
   * The claims can be read by whoever holds the token, but not changed.
   * @throws RangeError when `expiresAt` is not a date.
   */
  sign(purpose: string, claims: Record<string, string>, expiresAt: Date): string;
  /** The claims, or null when the token is forged, altered, of another purpose, or `now` has reached its end. Never throws. */
  verify(purpose: string, token: string, now: Date): Record<string, string> | null;
}

/** A signer under these keys: what the key of before signed stays good while it is set. */
export function createTokenSigner(secrets: SecretKeys): TokenSigner {
  const byPurpose = new Map<string, ReturnType<typeof deriveKeys>>();
  const keysOf = (purpose: string) => {
    const keys = byPurpose.get(purpose) ?? deriveKeys(secrets, `token/${purpose}`);
    byPurpose.set(purpose, keys);
    return keys;
  };
  const mac = (key: KeyObject, payload: string) => createHmac('sha256', key).update(payload).digest();
  return {
    sign(purpose, claims, expiresAt) {
      if (Number.isNaN(expiresAt.getTime())) throw new RangeError('expiresAt is not a date');
      const payload = Buffer.from(JSON.stringify([expiresAt.getTime(), claims])).toString('base64url');
      return `${payload}.${mac(keysOf(purpose)[0], payload).toString('base64url')}`;
    },
    verify(purpose, token, now) {
      const [payload, signature, ...rest] = token.split('.');
      if (payload === undefined || signature === undefined || rest.length > 0) return null;
      const given = decodeBase64Url(signature);
      if (given === null || !keysOf(purpose).some((key) => digestsEqual(given, mac(key, payload))))
        return null;
      return readPayload(payload, now);
    },
  };
}

function readPayload(payload: string, now: Date): Record<string, string> | null {
  // The signature holds, so the payload is one that `sign` wrote; the checks only carry that into the types.
  const parsed: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!Array.isArray(parsed)) return null;
  const [expiresAt, claims]: unknown[] = parsed;
  if (typeof expiresAt !== 'number' || !isClaims(claims)) return null;
  return now.getTime() < expiresAt ? claims : null;
}

function isClaims(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((claim) => typeof claim === 'string')
  );
}
