import type { RawBuilder, SqlBool } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import { JsonText } from '../../../http/json-text.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import { withMembersOnly } from '../../../resources/chosen-members.ts';
import { readSort } from '../../../resources/list-order.ts';
import { readListQuery } from '../../../resources/list-queries.ts';
import { listOrdered, readWhole } from '../../../resources/lists.ts';
import { hasOrderOptions } from '../../../resources/order-options.ts';
import { readsShared, requireDefaultAdmin } from '../../../resources/ownership.ts';
import { DEFAULT_LIMIT } from '../../../resources/paging.ts';
import { deleteRecord, findRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { SUPPRESSION_NOT_FOUND } from '../errors.ts';
import {
  deleteUnsubscribes,
  type FoundSuppression,
  findSuppressionsOf,
  insertSuppressions,
  suppressionExists,
} from '../queries.ts';
import { erasedHashOf, recipientsByErasedHash } from './erased.ts';
import { type Suppression, type SuppressionCreate, type SuppressionType, suppressions } from './resource.ts';

interface SuppressionQuery extends Readonly<Record<string, unknown>> {
  readonly page?: number;
  readonly pageSize?: number;
  readonly type?: SuppressionType;
  readonly search?: string;
  readonly description?: string;
}

/**
 * Returns a page of suppressions, by default newest first. A caller without a business unit gets an empty page.
 * @throws AppError INVALID_REQUEST.
 */
export async function listSuppressions({ caller, db }: MemberContext, query: SuppressionQuery) {
  const { type, search, description, pageSize = DEFAULT_LIMIT } = query;
  const request = readListQuery({ ...query, limit: pageSize });
  const { page, sort, members } = request;
  const filters = {
    ...(type !== undefined && { type: { operation: 'eq', value: type } }),
    ...(description !== undefined && { description: { operation: 'like', value: description } }),
  };
  readSort(suppressions, sort);
  const shown = members === undefined ? suppressions : withMembersOnly(suppressions, members, []);
  const emptyPage = { rows: [], total: 0, ...(hasOrderOptions(request) ? { next: null } : {}) };
  const { rows, ...counts } = readsShared(caller)
    ? await listOrdered(db, shown, { ...request, search, filters }, readWhole)
    : emptyPage;
  const reply = { results: rows.map(shown.listView), metadata: { page, pageSize, ...counts } };
  return members === undefined ? reply : new JsonText(JSON.stringify(reply));
}

/** Returns the suppression of a recipient, also of an erased one. @throws AppError SUPPRESSION_NOT_FOUND. */
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

/**
 * Deletes the suppressions of a recipient, also of an erased one. @throws AppError FORBIDDEN, SUPPRESSION_NOT_FOUND.
 */
export async function removeSuppression(ctx: MemberContext, address: string): Promise<{ recipient: string }> {
  const recipient = normalizeAddress(address);
  const keys = await keysOf(ctx.platform, ctx.db, recipient);
  const rows = await Promise.all(keys.map((key) => findRecord(ctx.db, suppressions, key)));
  const found = rows.flatMap((entry) => entry?.recipient ?? []);
  // Without a suppression, deleting the address throws SUPPRESSION_NOT_FOUND.
  for (const key of found.length === 0 ? [recipient] : found) await deleteRecord(ctx, suppressions, key);
  return { recipient };
}

/** Returns the keys of an address's suppressions: the normalized address, and its hash if the tenant has a hash key. */
async function keysOf(
  { secrets }: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  recipient: string,
): Promise<string[]> {
  const { hashKey } = await findSuppressionsOf(db, []);
  const erased =
    hashKey === null ? [] : recipientsByErasedHash(secrets, db.tenantId, hashKey, [recipient]).keys();
  return [recipient, ...erased];
}

/** Suppresses a recipient; an existing suppression stays unchanged. @throws AppError FORBIDDEN. */
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
 * True if a suppression blocks mail: bounces and complaints block all mail, an unsubscribe does not block transactional
 * mail and mail of a subscription type.
 */
export function isBlocking(type: SuppressionType, isExempt: boolean): boolean {
  return !isExempt || type !== 'unsubscribe';
}

/**
 * Returns the suppressions that block mail, by normalized address (see `isBlocking`). Runs one statement for all
 * recipients, and a second if the tenant has erased any.
 */
export async function findSuppressions(
  { secrets }: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  recipients: readonly string[],
  isExempt: boolean,
): Promise<Map<string, FoundSuppression>> {
  if (recipients.length === 0) return new Map();
  const normal = [...new Set(recipients.map(normalizeAddress))];
  const { found, hashKey } = await findSuppressionsOf(db, normal);
  const erased =
    hashKey === null
      ? []
      : await findErased(db, recipientsByErasedHash(secrets, db.tenantId, hashKey, normal));
  // A suppression of the address itself is newer and wins.
  const all = [...erased, ...found];
  const effective = all.filter(({ type }) => isBlocking(type, isExempt));
  return new Map(effective.map((suppression) => [suppression.recipient, suppression]));
}

async function findErased(
  db: ScopedDb,
  recipients: ReadonlyMap<string, string>,
): Promise<FoundSuppression[]> {
  const { found } = await findSuppressionsOf(db, [...recipients.keys()]);
  return found.map((erased) => ({ ...erased, recipient: recipients.get(erased.recipient) ?? '' }));
}

/** Returns SQL for the hash of a normalized address in a column; null if the tenant has erased no recipient. */
export async function erasedHashSql(
  { secrets }: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  address: RawBuilder<string>,
): Promise<RawBuilder<string> | null> {
  const { hashKey } = await findSuppressionsOf(db, []);
  return hashKey === null ? null : erasedHashOf(secrets, db.tenantId, hashKey, address);
}

/** Returns SQL that is true if `findSuppressions` would find a suppression of the normalized address in a column. */
export async function isSuppressed(
  platform: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  address: RawBuilder<string>,
  transactional: boolean,
): Promise<RawBuilder<SqlBool>> {
  const erased = await erasedHashSql(platform, db, address);
  return suppressionExists(db.tenantId, erased === null ? [address] : [address, erased], transactional);
}

/**
 * Lifts the `unsubscribe` suppression of a recipient; a bounce or a complaint stays. A suppression caused by
 * unsubscribing from subscription types stays until the recipient has resubscribed to all of them.
 * @param typeIds the types that the recipient resubscribes to; null for mail without a type.
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
  const erased =
    hashKey === null ? [] : recipientsByErasedHash(secrets, db.tenantId, hashKey, [normal]).keys();
  await deleteUnsubscribes(db, [normal, ...erased], typeIds);
}
