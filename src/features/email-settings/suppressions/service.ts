import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import { readsShared, requireDefaultAdmin } from '../../../resources/ownership.ts';
import { USUAL_LIMIT } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { SUPPRESSION_NOT_FOUND } from '../errors.ts';
import { deleteSuppression, findSuppressionsOf, listSuppressions } from './queries.ts';
import type { Suppression, SuppressionList, SuppressionQuery } from './schema.ts';

/** One page of suppressions, newest first; none for a caller without any unit. */
export async function listAll(
  { caller, db }: MemberContext,
  { page = 1, pageSize = USUAL_LIMIT, type }: SuppressionQuery,
): Promise<SuppressionList> {
  if (!readsShared(caller)) return { results: [], metadata: { total: 0, page, pageSize } };
  const { rows, total } = await listSuppressions(db, type, { page, limit: pageSize });
  return { results: rows, metadata: { total, page, pageSize } };
}

/** The suppression of a recipient. @throws AppError SUPPRESSION_NOT_FOUND. */
export async function readSuppression(
  { caller, db }: MemberContext,
  recipient: string,
): Promise<Suppression> {
  const found = readsShared(caller) ? await findSuppressionsOf(db, [normalizeAddress(recipient)]) : [];
  const [suppression] = found;
  if (!suppression) throw new AppError(SUPPRESSION_NOT_FOUND);
  return suppression;
}

/** Lets a recipient be sent to again. @throws AppError FORBIDDEN or SUPPRESSION_NOT_FOUND. */
export async function removeSuppression(
  ctx: MemberContext,
  recipient: string,
): Promise<{ recipient: string }> {
  requireDefaultAdmin(ctx.caller);
  const normal = normalizeAddress(recipient);
  if (!(await deleteSuppression(ctx.db, normal))) throw new AppError(SUPPRESSION_NOT_FOUND);
  return { recipient: normal };
}

/**
 * What keeps mail from these recipients, by the normal form of the address: bounces and complaints all mail, an
 * unsubscribe only what is not transactional. One statement, however many there are.
 */
export async function findSuppressions(
  db: ScopedDb,
  recipients: readonly string[],
  transactional: boolean,
): Promise<Map<string, Suppression>> {
  if (recipients.length === 0) return new Map();
  const found = await findSuppressionsOf(db, [...new Set(recipients.map(normalizeAddress))]);
  const effective = transactional ? found.filter(({ type }) => type !== 'unsubscribe') : found;
  return new Map(effective.map((suppression) => [suppression.recipient, suppression]));
}
