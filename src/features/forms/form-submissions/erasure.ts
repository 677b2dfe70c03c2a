/** Permanent deletion of submissions, with their history, deliveries, notification mails, journey data and counts. */
import { domainToUnicode } from 'node:url';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import { eraseVersions } from '../../../resources/history.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { deleteTransmissions } from '../../mail/api.ts';
import { eraseExports } from '../../reports/api.ts';
import { countDown } from '../forms/index.ts';
import { deleteDeliveriesOf, type SubmissionKey } from '../webhooks/index.ts';
import { submissionListeners } from './listeners.ts';
import { deleteSubmissions, listSubmissionKeys } from './queries.ts';

/**
 * Erases the submissions of an address in all units in which the caller may delete; for an owner of the tenant this
 * includes archived units. It includes submissions that were deleted earlier but are still in the history. The
 * comparison ignores case and the encoding of the domain.
 * Runs in several transactions; an interrupted call can be repeated.
 */
export async function eraseByAddress(
  { platform, db, caller }: Pick<MemberContext, 'platform' | 'db' | 'caller'>,
  address: string,
): Promise<{ erased: number }> {
  const { scope } = db;
  const erasable = platform.scoped(
    caller.isTenantAdmin ? wholeTenant(scope.tenantId) : { ...scope, read: scope.remove },
  );
  const spellings = spellingsOf(address);
  const hasAddress = sql<SqlBool>`address_key = any(${spellings}::text[])`;
  const hadAddress = sql<SqlBool>`lower(data->>'email_address') = any(${spellings}::text[])`;
  const limit = platform.config.jobBatchSize;
  const erase = (deleteBatch: (tx: ScopedDb) => Promise<SubmissionKey[]>) =>
    eraseInBatches(platform, erasable, limit, async (tx) => {
      const batch = await deleteBatch(tx);
      if (batch.length > 0) await eraseExports(platform, tx, 'form_submissions');
      return batch;
    });
  const stored = await erase((tx) => deleteAndUncount(tx, hasAddress, limit));
  const deleted = await erase((tx) => listSubmissionKeys(tx, hadAddress, limit));
  return { erased: stored + deleted };
}

/** Erases the submissions of a form that were made before a time, including deleted ones. */
export async function eraseBefore(
  platform: Platform,
  { tenantId, formCode }: { readonly tenantId: string; readonly formCode: string },
  before: Date,
): Promise<void> {
  const limit = platform.config.jobBatchSize;
  const db = platform.scoped(wholeTenant(tenantId));
  const isOld = sql<SqlBool>`form_code = ${formCode} and created_at < ${before}`;
  await eraseInBatches(platform, db, limit, (tx) => deleteAndUncount(tx, isOld, limit));
  const wasOld = sql<SqlBool>`data->>'form_code' = ${formCode}
    and (data->>'created_at')::timestamptz < ${before}`;
  await eraseInBatches(platform, db, limit, (tx) => listSubmissionKeys(tx, wasOld, limit));
}

/**
 * Erases submissions in batches and returns their number. `deleteBatch` deletes up to `limit` rows and returns them.
 * Short transactions let other requests use the embedded database's only connection in between.
 */
async function eraseInBatches(
  platform: Platform,
  db: ScopedDb,
  limit: number,
  deleteBatch: (tx: ScopedDb) => Promise<SubmissionKey[]>,
): Promise<number> {
  for (let total = 0; ; ) {
    const erased = await db.transaction(async (tx) => {
      const batch = await deleteBatch(tx);
      if (batch.length > 0) await deleteRelatedData(platform, tx, batch);
      return batch.length;
    });
    total += erased;
    if (erased < limit) return total;
  }
}

/** Deletes submissions and subtracts them from the counts of their forms. */
async function deleteAndUncount(
  tx: ScopedDb,
  condition: RawBuilder<SqlBool>,
  limit: number,
): Promise<SubmissionKey[]> {
  const deleted = await deleteSubmissions(tx, condition, limit);
  await countDown(
    tx,
    deleted.map(({ form_code, owner_bu_id }) => ({ code: form_code, owner_bu_id })),
  );
  return deleted;
}

/** Deletes data about submissions outside their own table. */
async function deleteRelatedData(
  platform: Platform,
  tx: ScopedDb,
  submissions: readonly SubmissionKey[],
): Promise<void> {
  const ids = submissions.map(({ id }) => id);
  await eraseVersions(tx, 'form_submission', ids);
  await deleteDeliveriesOf(tx, submissions);
  for (const listener of submissionListeners.of(platform)) await listener.onErasure(tx, ids);
  // Notification mails.
  await deleteTransmissions(tx, ids);
}

/** Returns the spellings of an address that submissions may contain, in lower case. */
function spellingsOf(address: string): string[] {
  const normal = normalizeAddress(address);
  const at = normal.lastIndexOf('@') + 1;
  const international = `${normal.slice(0, at)}${domainToUnicode(normal.slice(at))}`;
  return [...new Set([address.trim().toLowerCase(), normal, international])];
}
