/**
 * Tokens that identify a row: `<kind>_<32 hex>_<43 base64url>`. The first half is the tenant, and on a cluster selects
 * the node. The second half is 256 random bits, of which only a digest is stored, as for an API key.
 */
import { createHash, randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';

const PARTS = /^_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** Parts of a token that identify its row. */
export interface TokenParts {
  readonly tenantId: string;
  /** The 32-byte SHA-256 of the secret's text. */
  readonly digest: Buffer;
}

/** A token with its parts; `token` is shown once and not stored. */
export interface TenantToken extends TokenParts {
  readonly token: string;
}

/** Creates a random token of this tenant. `kind` is a constant of the code, such as `tsr`. */
export function generateToken(kind: string, tenantId: string): TenantToken {
  return toToken(kind, tenantId, randomBytes(32));
}

/** Returns the token of this tenant with the given 32-byte secret. */
export function toToken(kind: string, tenantId: string, bytes: Buffer): TenantToken {
  const secret = bytes.toString('base64url');
  const token = `${kind}_${tenantId.replaceAll('-', '')}_${secret}`;
  return { token, tenantId, digest: digestOf(secret) };
}

/** Parses a token of this kind; returns null if the text cannot be one. */
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
