/**
 * Tokens that lead to a row: `<kind>_<32 hex>_<43 base64url>`. The first half is the tenant, which leads to the row (on a cluster
 * to its node); of the second, 256 random bits, only a digest is stored, as of an API key's.
 */
import { createHash, randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';

const PARTS = /^_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** Where a token's row is. */
export interface TokenParts {
  readonly tenantId: string;
  /** The 32-byte SHA-256 of the secret's text. */
  readonly digest: Buffer;
}

/** A token and where its row is; `token` is shown once and stored nowhere. */
export interface TenantToken extends TokenParts {
  readonly token: string;
}

/** A new random token of this tenant. `kind` is a word of the code: `tsr`. */
export function generateToken(kind: string, tenantId: string): TenantToken {
  return toToken(kind, tenantId, randomBytes(32));
}

/** The token of this tenant with a secret of 32 bytes. */
export function toToken(kind: string, tenantId: string, bytes: Buffer): TenantToken {
  const secret = bytes.toString('base64url');
  const token = `${kind}_${tenantId.replaceAll('-', '')}_${secret}`;
  return { token, tenantId, digest: digestOf(secret) };
}

/** Takes a presented token of this kind apart, or null when it cannot be one. */
export function parseToken(kind: string, text: string): TokenParts | null {
  if (!text.startsWith(kind)) return null;
  const [, ...parts] = PARTS.exec(text.slice(kind.length)) ?? [];
  const secret = parts.pop();
  const tenantId = parts.join('-');
  return secret !== undefined && isUuid(tenantId) ? { tenantId, digest: digestOf(secret) } : null;
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
