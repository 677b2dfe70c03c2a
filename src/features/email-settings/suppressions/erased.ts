/**
 * Suppressions of erased recipients, which still block mail (docs/specification/email-settings.md#suppressions). A hash
 * under a key of the tenant replaces the address. The first erasure creates the key.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { SealedColumn } from '../../../secrets/sealed-columns.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { deleteSuppression, ensureHashKey, findSuppressionsOf, renameSuppression } from '../queries.ts';

/** Prefix that no address has; in lower case, like normalized addresses. */
const PREFIX = 'erased:';
const KEY_BYTES = 32;
/** Block size of SHA-256; longer than a key. */
const HASH_BLOCK_BYTES = 64;

/** Column of the keys. */
export const sealedHashKeys: SealedColumn = {
  table: 'suppression_keys',
  column: 'key',
  type: 'text',
  key: {},
  sealedUnder: ({ tenant_id = '' }) => sealedUnder(tenant_id),
};

function sealedUnder(tenantId: string): string {
  return `${tenantId}/suppressions`;
}

/** Replaces a normalized recipient by its hash in its suppression, if there is one. The suppression stays in effect. */
export async function eraseSuppression(secrets: SecretBox, tx: ScopedDb, recipient: string): Promise<void> {
  const { found } = await findSuppressionsOf(tx, [recipient]);
  const [suppression] = found;
  if (suppression === undefined) return;
  const newKey = secrets.seal(randomBytes(KEY_BYTES).toString('base64url'), sealedUnder(tx.tenantId));
  const sealed = await ensureHashKey(tx, newKey);
  const [erased = ''] = recipientsByErasedHash(secrets, tx.tenantId, sealed, [recipient]).keys();
  const [existing] = (await findSuppressionsOf(tx, [erased])).found;
  // A bounce or complaint that was erased earlier blocks more mail than an unsubscribe.
  const isWeaker =
    suppression.type === 'unsubscribe' && existing !== undefined && existing.type !== 'unsubscribe';
  await deleteSuppression(tx, isWeaker ? recipient : erased);
  if (!isWeaker) await renameSuppression(tx, recipient, erased);
}

/** Returns normalized recipients by their hash under the tenant's sealed key. */
export function recipientsByErasedHash(
  secrets: SecretBox,
  tenantId: string,
  sealed: string,
  recipients: readonly string[],
): Map<string, string> {
  const key = secrets.open(sealed, sealedUnder(tenantId));
  return new Map(recipients.map((recipient) => [hashOf(key, recipient), recipient]));
}

function hashOf(key: string, recipient: string): string {
  return `${PREFIX}${createHmac('sha256', key).update(recipient).digest('hex')}`;
}

/**
 * Returns SQL for the hash of a normalized address, for statements about more recipients than fit in memory. The key is
 * a parameter of the statement and is not stored.
 */
export function erasedHashOf(
  secrets: SecretBox,
  tenantId: string,
  sealed: string,
  address: RawBuilder<unknown>,
): RawBuilder<string> {
  const [inner, outer] = hmacPads(secrets.open(sealed, sealedUnder(tenantId)));
  const hash = sql`sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(${address}, 'UTF8')))`;
  return sql<string>`${PREFIX}::text || encode(${hash}, 'hex')`;
}

/** Returns the inner and outer pad of HMAC (RFC 2104). */
function hmacPads(key: string): readonly [Uint8Array, Uint8Array] {
  const block = Buffer.alloc(HASH_BLOCK_BYTES);
  block.write(key);
  return [block.map((byte) => byte ^ 0x36), block.map((byte) => byte ^ 0x5c)];
}
