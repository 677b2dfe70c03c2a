/**
 * Tokens of `CONSOLE_URL/console/invitation/{token}`. They are derived from the invitation, so that a repeated mail job
 * sends the same link. The table stores only their digest.
 */
import { createHmac } from 'node:crypto';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import { deriveKeys } from '../../../../secrets/derived-key.ts';
import { parseToken, type TenantToken, type TokenParts, toToken } from '../../../../secrets/tenant-tokens.ts';

const KIND = 'tsi';
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** Data from which a token is derived. */
export interface InvitationKey {
  readonly tenantId: string;
  readonly membershipId: string;
  readonly sentAt: Date;
}

const keysOf = oncePerPlatform(({ config }) => deriveKeys(config, 'invitation'));

/** Returns the expiry of an invitation sent at `sentAt`. */
export function endOfInvitation(sentAt: Date): Date {
  return new Date(sentAt.getTime() + VALID_MS);
}

/** Creates the token of a new invitation. */
export function makeToken(platform: Platform, invitation: InvitationKey): TenantToken {
  return deriveToken(keysOf(platform)[0], invitation);
}

/** Returns the token with this digest, derived with the current or the previous key; null: neither key matches. */
export function findToken(platform: Platform, invitation: InvitationKey, digest: Buffer): TenantToken | null {
  const tokens = keysOf(platform).map((key) => deriveToken(key, invitation));
  return tokens.find((token) => token.digest.equals(digest)) ?? null;
}

/** Parses the token of a link; returns null if it cannot be one. */
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
