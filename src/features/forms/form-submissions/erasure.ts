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
import { deleteDeliveriesOf, type GoneSubmission } from '../webhooks/index.ts';
import { submissionListeners } from './listeners.ts';
import { deleteSubmissions, listDeletedSubmissions } from './queries.ts';

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
  const removable = platform.scoped(
    caller.isTenantAdmin ? wholeTenant(scope.tenantId) : { ...scope, read: scope.remove },
  );
  const spellings = spellingsOf(address);
  const isOfPerson = sql<SqlBool>`address_key = any(${spellings}::text[])`;
  const wasOfPerson = sql<SqlBool>`lower(data->>'email_address') = any(${spellings}::text[])`;
  const limit = platform.config.jobBatchSize;
  const erase = (take: (tx: ScopedDb) => Promise<GoneSubmission[]>) =>
    eraseInBatches(platform, removable, limit, async (tx) => {
      const taken = await take(tx);
      if (taken.length > 0) await eraseExports(platform, tx, 'form_submissions');
      return taken;
    });
  const stored = await erase((tx) => deleteCounted(tx, isOfPerson, limit));
  const deleted = await erase((tx) => listDeletedSubmissions(tx, wasOfPerson, limit));
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
  await eraseInBatches(platform, db, limit, (tx) => deleteCounted(tx, isOld, limit));
  const wasOld = sql<SqlBool>`data->>'form_code' = ${formCode}
    and (data->>'created_at')::timestamptz < ${before}`;
  await eraseInBatches(platform, db, limit, (tx) => listDeletedSubmissions(tx, wasOld, limit));
}

/** Uses short transactions, so that other requests can use the embedded database's one connection in between. */
async function eraseInBatches(
  platform: Platform,
  db: ScopedDb,
  limit: number,
  take: (tx: ScopedDb) => Promise<GoneSubmission[]>,
): Promise<number> {
  for (let total = 0; ; ) {
    const batch = await db.transaction(async (tx) => {
      const taken = await take(tx);
      if (taken.length > 0) await deleteTraces(platform, tx, taken);
      return taken.length;
    });
    total += batch;
    if (batch < limit) return total;
  }
}

async function deleteCounted(
  tx: ScopedDb,
  condition: RawBuilder<SqlBool>,
  limit: number,
): Promise<GoneSubmission[]> {
  const deleted = await deleteSubmissions(tx, condition, limit);
  await countDown(
    tx,
    deleted.map(({ form_code, owner_bu_id }) => ({ code: form_code, owner_bu_id })),
  );
  return deleted;
}

/** Deletes data about submissions outside their own table. */
async function deleteTraces(
  platform: Platform,
  tx: ScopedDb,
  submissions: readonly GoneSubmission[],
): Promise<void> {
  const ids = submissions.map(({ id }) => id);
  await eraseVersions(tx, 'form_submission', ids);
  await deleteDeliveriesOf(tx, submissions);
  for (const listener of submissionListeners.of(platform)) await listener.onErasure(tx, ids);
  // Notification mails.
  await deleteTransmissions(tx, ids);
}

/** Returns the spellings in which an address may have been given, in lower case. */
function spellingsOf(address: string): string[] {
  const normal = normalizeAddress(address);
  const at = normal.lastIndexOf('@') + 1;
  const international = `${normal.slice(0, at)}${domainToUnicode(normal.slice(at))}`;
  return [...new Set([address.trim().toLowerCase(), normal, international])];
}
