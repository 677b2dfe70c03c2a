/**
 * The tokens of `PUBLIC_URL/console/invitation/{token}`. They are derived from the invitation, so that a mail job that runs
 * twice sends the same link twice. The table holds only their digest.
 */
import { createHmac } from 'node:crypto';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { deriveKeys } from '../../../secrets/derived-key.ts';
import { parseToken, type TenantToken, type TokenParts, toToken } from '../../../secrets/tenant-tokens.ts';

const KIND = 'tsi';
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** What a token is derived from. */
export interface InvitationKey {
  readonly tenantId: string;
  readonly membershipId: string;
  readonly sentAt: Date;
}

const keysOf = oncePerPlatform(({ config }) => deriveKeys(config, 'invitation'));

/** When an invitation that was sent at `sentAt` ends. */
export function endOfInvitation(sentAt: Date): Date {
  return new Date(sentAt.getTime() + VALID_MS);
}

/** The token of an invitation that is being made. */
export function makeToken(platform: Platform, invitation: InvitationKey): TenantToken {
  return deriveToken(keysOf(platform)[0], invitation);
}

/** The token with this digest, under the present key or the one before; null when neither made it. */
export function findToken(platform: Platform, invitation: InvitationKey, digest: Buffer): TenantToken | null {
  const tokens = keysOf(platform).map((key) => deriveToken(key, invitation));
  return tokens.find((token) => token.digest.equals(digest)) ?? null;
}

/** The tenant and the digest of a token from a link, or null when it cannot be one. */
export function readToken(token: string): TokenParts | null {
  return parseToken(KIND, token);
}

function deriveToken(
  key: Parameters<typeof createHmac>[1],
  { tenantId, membershipId, sentAt }: InvitationKey,
): TenantToken {
  const secret = createHmac('sha256', key)
    .update(`${tenantId} ${membershipId} ${sentAt.toISOString()}`)
    .digest();
  return toToken(KIND, tenantId, secret);
}
