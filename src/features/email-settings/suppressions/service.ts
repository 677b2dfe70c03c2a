import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import { listViews } from '../../../resources/lists.ts';
import { readsShared, requireDefaultAdmin } from '../../../resources/ownership.ts';
import { USUAL_LIMIT } from '../../../resources/paging.ts';
import { deleteRecord, findRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { SUPPRESSION_NOT_FOUND } from '../errors.ts';
import { deleteUnsubscribes, findSuppressionsOf, insertSuppressions } from '../queries.ts';
import { erasedForm, erasedForms } from './erased.ts';
import { type Suppression, type SuppressionCreate, type SuppressionType, suppressions } from './resource.ts';

/** One page of suppressions, newest first; none for a caller without any unit. */
export async function listSuppressions(
  { caller, db }: MemberContext,
  { page = 1, pageSize = USUAL_LIMIT, type }: { page?: number; pageSize?: number; type?: SuppressionType },
) {
  const filters = type === undefined ? {} : { type: { operation: 'eq', value: type } };
  const { results, total } = readsShared(caller)
    ? await listViews(db, suppressions, { page, limit: pageSize, filters })
    : { results: [], total: 0 };
  return { results, metadata: { total, page, pageSize } };
}

/** The suppression of a recipient, also when it was erased since. @throws AppError SUPPRESSION_NOT_FOUND. */
export async function readSuppression(
  { caller, db, platform }: MemberContext,
  address: string,
): Promise<Suppression> {
  if (!readsShared(caller)) throw new AppError(SUPPRESSION_NOT_FOUND);
  const recipient = normalizeAddress(address);
  for (const key of await keysOf(platform, db, recipient)) {
    const found = await findRecord(db, suppressions, key);
    if (found !== null) return { ...found, recipient };
  }
  throw new AppError(SUPPRESSION_NOT_FOUND);
}

/** Lets a recipient be sent to again, also when it was erased since. @throws AppError FORBIDDEN, SUPPRESSION_NOT_FOUND. */
export async function removeSuppression(ctx: MemberContext, address: string): Promise<{ recipient: string }> {
  const recipient = normalizeAddress(address);
  const keys = await keysOf(ctx.platform, ctx.db, recipient);
  const present = await Promise.all(keys.map((key) => findRecord(ctx.db, suppressions, key)));
  const found = present.flatMap((entry) => entry?.recipient ?? []);
  // Without any, this one says so.
  for (const key of found.length === 0 ? [recipient] : found) await deleteRecord(ctx, suppressions, key);
  return { recipient };
}

/** Under which recipients an address (normal form) may be suppressed: itself, and what stands for it when it was erased. */
async function keysOf(
  { secrets }: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  recipient: string,
): Promise<string[]> {
  const { hashKey } = await findSuppressionsOf(db, []);
  const erased = hashKey === null ? [] : erasedForms(secrets, db.tenantId, hashKey, [recipient]).keys();
  return [recipient, ...erased];
}

/** Suppresses a recipient, unless it is already. @throws AppError FORBIDDEN. */
export async function createSuppression(
  { caller, db, now }: MemberContext,
  { type, description = '', ...body }: SuppressionCreate,
): Promise<{ recipient: string }> {
  requireDefaultAdmin(caller);
  const recipient = normalizeAddress(body.recipient);
  await insertSuppressions(db, [{ recipient, type, description }], now);
  return { recipient };
}

/**
 * What keeps mail from these recipients, by the normal form of the address: bounces and complaints all mail, an
 * unsubscribe only what is not transactional. One statement, however many there are; a second one where people were erased.
 */
export async function findSuppressions(
  { secrets }: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  recipients: readonly string[],
  transactional: boolean,
): Promise<Map<string, { readonly type: SuppressionType }>> {
  if (recipients.length === 0) return new Map();
  const normal = [...new Set(recipients.map(normalizeAddress))];
  const { found, hashKey } = await findSuppressionsOf(db, normal);
  const erased =
    hashKey === null ? [] : await findErased(db, erasedForms(secrets, db.tenantId, hashKey, normal));
  // What is said of the address itself is newer.
  const all = [...erased, ...found];
  const effective = transactional ? all.filter(({ type }) => type !== 'unsubscribe') : all;
  return new Map(effective.map((suppression) => [suppression.recipient, suppression]));
}

async function findErased(db: ScopedDb, recipients: ReadonlyMap<string, string>) {
  const { found } = await findSuppressionsOf(db, [...recipients.keys()]);
  return found.map(({ recipient, type }) => ({ recipient: recipients.get(recipient) ?? '', type }));
}

/** SQL: what stands for an address (normal form), a column of the statement, when it was erased; null: nobody was. */
export async function erasedFormOf(
  { secrets }: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  address: RawBuilder<string>,
): Promise<RawBuilder<string> | null> {
  const { hashKey } = await findSuppressionsOf(db, []);
  return hashKey === null ? null : erasedForm(secrets, db.tenantId, hashKey, address);
}

/** SQL: whether `findSuppressions` finds anything for an address (normal form), a column of the statement. */
export async function isSuppressed(
  platform: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  address: RawBuilder<string>,
  transactional: boolean,
): Promise<RawBuilder<SqlBool>> {
  const erased = await erasedFormOf(platform, db, address);
  const isEffective = transactional ? sql`e.type <> 'unsubscribe'` : sql`true`;
  const isOf = (recipient: RawBuilder<string>) => sql<SqlBool>`exists (
    select from email_suppressions e where e.tenant_id = ${db.tenantId}::uuid and e.recipient = ${recipient} and ${isEffective})`;
  // Each by itself: together they would be compared with every suppression of the tenant.
  return erased === null ? isOf(address) : sql<SqlBool>`(${isOf(address)} or ${isOf(erased)})`;
}

/**
 * Lets a recipient who unsubscribed be sent to again. What came from leaving subscription types stays until the recipient
 * has come back to all of them; `typeIds`: those that it comes back to, null: to what is of no type. A bounce or a complaint
 * stays.
 */
export async function liftUnsubscribe(
  { secrets }: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  recipient: string,
  typeIds: readonly string[] | null,
): Promise<void> {
  if (typeIds?.length === 0) return;
  const normal = normalizeAddress(recipient);
  const { found, hashKey } = await findSuppressionsOf(db, [normal]);
  if (found.length === 0 && hashKey === null) return;
  const erased = hashKey === null ? [] : erasedForms(secrets, db.tenantId, hashKey, [normal]).keys();
  await deleteUnsubscribes(db, [normal, ...erased], typeIds);
}
