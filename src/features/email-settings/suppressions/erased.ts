/**
 * Suppressions of people who were erased: they still block, though nobody can read whom
 * (docs/specification/email-settings.md#suppressions). In place of the address stands its hash under a key of the tenant,
 * which is made when the first one is erased.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { SealedColumn } from '../../../secrets/sealed-columns.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { deleteSuppression, findSuppressionsOf, makeHashKey, renameSuppression } from '../queries.ts';

/** No address begins so; in small letters, as the normal form of an address. */
const PREFIX = 'erased:';
const KEY_BYTES = 32;
/** Of SHA-256; a key has fewer characters. */
const HASH_BLOCK_BYTES = 64;

/** Where the keys are. */
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

/** Takes the address of a recipient (normal form) out of its suppression, if it has one; it blocks as before. */
export async function eraseSuppression(secrets: SecretBox, tx: ScopedDb, recipient: string): Promise<void> {
  const { found } = await findSuppressionsOf(tx, [recipient]);
  const [own] = found;
  if (own === undefined) return;
  const fresh = secrets.seal(randomBytes(KEY_BYTES).toString('base64url'), sealedUnder(tx.tenantId));
  const sealed = await makeHashKey(tx, fresh);
  const [erased = ''] = erasedForms(secrets, tx.tenantId, sealed, [recipient]).keys();
  const [former] = (await findSuppressionsOf(tx, [erased])).found;
  // Erased before for a bounce or a complaint: these still hold back more than an unsubscribe does.
  const isWeaker = own.type === 'unsubscribe' && former !== undefined && former.type !== 'unsubscribe';
  await deleteSuppression(tx, isWeaker ? recipient : erased);
  if (!isWeaker) await renameSuppression(tx, recipient, erased);
}

/** Recipients (normal forms) by what stands for them when they are erased, under the tenant's sealed key. */
export function erasedForms(
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
 * SQL: what stands for an address (normal form) when it is erased, for statements about more people than can be read. What
 * it is made with goes with the statement, and is not stored.
 */
export function erasedForm(
  secrets: SecretBox,
  tenantId: string,
  sealed: string,
  address: RawBuilder<unknown>,
): RawBuilder<string> {
  const [inner, outer] = hmacPads(secrets.open(sealed, sealedUnder(tenantId)));
  const hash = sql`sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(${address}, 'UTF8')))`;
  return sql<string>`${PREFIX}::text || encode(${hash}, 'hex')`;
}

/** What HMAC (RFC 2104) puts before what is hashed first, and before the hash of that. */
function hmacPads(key: string): readonly [Uint8Array, Uint8Array] {
  const block = Buffer.alloc(HASH_BLOCK_BYTES);
  block.write(key);
  return [block.map((byte) => byte ^ 0x36), block.map((byte) => byte ^ 0x5c)];
}
