/**
 * Access tokens of signed-in users: JSON Web Tokens (RFC 7519) with HMAC-SHA-256, valid for an hour. A token only
 * identifies a session; each request checks that the session is still active.
 */
import { type KeyObject, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { oncePerPlatform } from '../platform.ts';
import { deriveKeys, type SecretKeys } from './derived-key.ts';

const ALGORITHM = 'HS256';
const LIFETIME_MS = 60 * 60 * 1000;
/** Maximum number of verified tokens in the cache, about 500 bytes each; the signature is checked once per token. */
const MAX_CACHED = 10_000;

/** Claims of an access token. */
export interface AccessClaims {
  readonly userId: string;
  readonly tenantId: string;
  readonly membershipId: string;
  readonly sessionId: string;
}

/** Signs and verifies access tokens. */
export interface AccessTokens {
  sign(claims: AccessClaims, now: Date): Promise<string>;
  /** Returns the claims, or null if the token is forged, altered, expired at `now` or not an access token. */
  verify(token: string, now: Date): Promise<AccessClaims | null>;
}

/** Returns the access tokens of the process. */
export const accessTokens = oncePerPlatform(({ config }) => createAccessTokens(config));

/** Creates access tokens with these keys. Tokens of the previous key are valid while it is set. */
export function createAccessTokens(secrets: SecretKeys): AccessTokens {
  const keys = deriveKeys(secrets, 'access-token');
  const verified = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED });
  const verifyNew = async (token: string, now: Date) => {
    const found = await verifyWithAny(keys, token, now);
    if (found !== null) verified.set(token, found);
    return found;
  };
  return {
    sign: ({ userId, tenantId, membershipId, sessionId }, now) =>
      new SignJWT({ tenant: tenantId, membership: membershipId, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(userId)
        // Makes two tokens of the same second differ.
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + LIFETIME_MS))
        .sign(keys[0]),
    async verify(token, now) {
      const found = verified.get(token) ?? (await verifyNew(token, now));
      return found !== null && now.getTime() < found.endsAt ? found.claims : null;
    },
  };
}

/** A token with a verified signature. */
interface VerifiedToken {
  readonly claims: AccessClaims;
  readonly endsAt: number;
}

async function verifyWithAny(
  keys: readonly KeyObject[],
  token: string,
  now: Date,
): Promise<VerifiedToken | null> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate: now });
      return toVerifiedToken(payload);
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
  return null;
}

/** The signature is valid, so `sign` wrote the claims; these checks are for the compiler. */
function toVerifiedToken({ sub, tenant, membership, sid, exp }: JWTPayload): VerifiedToken | null {
  const areTexts = typeof tenant === 'string' && typeof membership === 'string' && typeof sid === 'string';
  if (sub === undefined || exp === undefined || !areTexts) return null;
  const claims = { userId: sub, tenantId: tenant, membershipId: membership, sessionId: sid };
  return { claims, endsAt: exp * 1000 };
}
