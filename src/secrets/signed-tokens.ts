/**
 * Signed tokens that contain their claims, for links in emails, the Active unit and downloads:
 * `<payload>.<HMAC-SHA-256>`, both base64url. Each purpose has its own key, so a token is valid for one purpose only.
 * They are not JWTs, because they are signed and verified for every link and request, which must be synchronous (jose
 * is asynchronous). Only this system reads them.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { digestsEqual } from './api-keys.ts';
import { decodeBase64Url } from './base64url.ts';
import { deriveKeys, type SecretKeys } from './derived-key.ts';

/** Signs and verifies tokens. `purpose` is a constant of the code ("business-unit"), never input of a caller. */
export interface TokenSigner {
  /**
   * Signs claims. The holder of the token can read them, but not change them.
   * @throws RangeError when `expiresAt` is not a date.
   */
  sign(purpose: string, claims: Record<string, string>, expiresAt: Date): string;
  /**
   * Returns the claims, or null if the token is forged, altered, expired at `now` or of another purpose. Never throws.
   */
  verify(purpose: string, token: string, now: Date): Record<string, string> | null;
}

/** Creates a signer. Tokens of the previous key are valid while it is set. */
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
      const signatureBytes = decodeBase64Url(signature);
      if (
        signatureBytes === null ||
        !keysOf(purpose).some((key) => digestsEqual(signatureBytes, mac(key, payload)))
      )
        return null;
      return readPayload(payload, now);
    },
  };
}

function readPayload(payload: string, now: Date): Record<string, string> | null {
  // The signature is valid, so `sign` wrote the payload; these checks are for the compiler.
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
