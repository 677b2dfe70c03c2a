/**
 * Refresh tokens: `tsr_<32 hex>_<43 base64url>`. The first half is the tenant, which leads to the token's row (on a cluster to its
 * node); of the second, 256 random bits, only a digest is stored, as of an API key's.
 */
import { createHash, randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';

const REFRESH_TOKEN =
  /^tsr_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** Where a refresh token's row is. */
export interface RefreshTokenParts {
  readonly tenantId: string;
  /** The 32-byte SHA-256 of the secret's text. */
  readonly digest: Buffer;
}

/** A new token of this tenant; `refreshToken` is told once and kept nowhere. */
export function generateRefreshToken(
  tenantId: string,
): RefreshTokenParts & { readonly refreshToken: string } {
  const secret = randomBytes(32).toString('base64url');
  const refreshToken = `tsr_${tenantId.replaceAll('-', '')}_${secret}`;
  return { refreshToken, tenantId, digest: digestOf(secret) };
}

/** Takes a presented token apart, or null when it cannot be one. */
export function parseRefreshToken(text: string): RefreshTokenParts | null {
  const [, ...parts] = REFRESH_TOKEN.exec(text) ?? [];
  const secret = parts.pop();
  const tenantId = parts.join('-');
  return secret !== undefined && isUuid(tenantId) ? { tenantId, digest: digestOf(secret) } : null;
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
