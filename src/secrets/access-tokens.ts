/**
 * Access tokens of people who have signed in: JSON Web Tokens (RFC 7519) under HMAC-SHA-256, good for an hour. Such a token only
 * names a session; whether that goes on is looked up each time.
 */
import { type KeyObject, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { oncePerPlatform } from '../platform.ts';
import { deriveKeys, type SecretKeys } from './derived-key.ts';

const ALGORITHM = 'HS256';
const LIFETIME_MS = 60 * 60 * 1000;
/** A token is used for many requests; its signature is computed for the first. Some five hundred bytes each. */
const MOST_KEPT = 10_000;

/** What an access token says. */
export interface AccessClaims {
  readonly userId: string;
  readonly tenantId: string;
  readonly membershipId: string;
  readonly sessionId: string;
}

/** Signs and checks access tokens. */
export interface AccessTokens {
  sign(claims: AccessClaims, now: Date): Promise<string>;
  /** What the token says, or null when it is forged, altered or something else, or `now` has reached its end. */
  verify(token: string, now: Date): Promise<AccessClaims | null>;
}

/** Under the process's keys. */
export const accessTokens = oncePerPlatform(({ config }) => createAccessTokens(config));

/** Under these keys: what the key of before signed stays good while it is set. */
export function createAccessTokens(secrets: SecretKeys): AccessTokens {
  const keys = deriveKeys(secrets, 'access-token');
  const known = new LRUCache<string, Known>({ max: MOST_KEPT });
  const verifyNew = async (token: string, now: Date) => {
    const found = await verifyWithAny(keys, token, now);
    if (found !== null) known.set(token, found);
    return found;
  };
  return {
    sign: ({ userId, tenantId, membershipId, sessionId }, now) =>
      new SignJWT({ tenant: tenantId, membership: membershipId, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(userId)
        // So that two of one second differ.
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + LIFETIME_MS))
        .sign(keys[0]),
    async verify(token, now) {
      const found = known.get(token) ?? (await verifyNew(token, now));
      return found !== null && now.getTime() < found.endsAt ? found.claims : null;
    },
  };
}

/** A token whose signature has been seen to hold. */
interface Known {
  readonly claims: AccessClaims;
  readonly endsAt: number;
}

async function verifyWithAny(keys: readonly KeyObject[], token: string, now: Date): Promise<Known | null> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate: now });
      return toKnown(payload);
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
  return null;
}

/** The signature holds, so `sign` wrote these; the checks only carry that into the types. */
function toKnown({ sub, tenant, membership, sid, exp }: JWTPayload): Known | null {
  const areTexts = typeof tenant === 'string' && typeof membership === 'string' && typeof sid === 'string';
  if (sub === undefined || exp === undefined || !areTexts) return null;
  const claims = { userId: sub, tenantId: tenant, membershipId: membership, sessionId: sid };
  return { claims, endsAt: exp * 1000 };
}
