import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { normalizeAddress } from '../../../mail/address.ts';
import { type Actor, toActorRecord } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { countUp, type FormForSubmission } from '../forms/index.ts';
import { insertDeliveries, type SubmissionKey } from '../webhooks/index.ts';
import type { SubmissionRecord } from './resource.ts';

/**
 * Stores an accepted submission with its history, its count and a delivery per webhook, in one statement (one round
 * trip).
 */
export async function insertSubmission(
  db: ScopedDb,
  actor: Actor,
  form: FormForSubmission,
  record: SubmissionRecord,
): Promise<void> {
  await db.raw(
    (tenantId) => sql`
    with submission as (
      insert into form_submissions (tenant_id, id, form_code, form_name, owner_bu_id, version, created_at,
        email_address, address_key, form_data, subscriber_created, journey_triggered, ip_address, user_agent, events)
      values (${tenantId}, ${record.id}, ${form.code}, ${form.name}, ${form.owner_bu_id}, ${record.version},
        ${record.created_at}, ${record.email_address},
        ${normalizeAddress(record.email_address)}, ${JSON.stringify(record.form_data)},
        ${record.subscriber_created}, ${record.journey_triggered}, ${record.ip_address}, ${record.user_agent},
        ${JSON.stringify(record.events)})
    ), history as (
      insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data, actor)
      values (${tenantId}, 'form_submission', ${record.id}, ${record.version}, false, ${form.owner_bu_id},
        ${record.created_at}, ${JSON.stringify(record)}, ${JSON.stringify(toActorRecord(actor))})
    ), counted as (
      ${countUp(tenantId, form, 'submissions')}
    ), deliveries as (
      ${insertDeliveries({ tenantId, formCode: form.code, submissionId: record.id, now: record.created_at })}
    )
    select 1`,
  );
}

/** A deleted submission and its owner. */
export type SubmissionKeyRow = SubmissionKey & { readonly owner_bu_id: string };

/** Deletes up to `limit` submissions that meet a condition on their columns. */
export async function deleteSubmissions(
  tx: ScopedDb,
  condition: RawBuilder<SqlBool>,
  limit: number,
): Promise<SubmissionKeyRow[]> {
  const found = await tx.query
    .selectFrom('form_submissions')
    .select(['id', 'form_code', 'owner_bu_id', 'created_at'])
    .where(condition)
    .limit(limit)
    .forUpdate()
    .execute();
  const ids = found.map(({ id }) => id);
  if (ids.length > 0)
    await tx.query
      .deleteFrom('form_submissions')
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
  return found;
}

/** Lists up to `limit` submissions that were deleted earlier and whose history meets a condition. */
export function listSubmissionKeys(
  tx: ScopedDb,
  condition: RawBuilder<SqlBool>,
  limit: number,
): Promise<SubmissionKey[]> {
  return tx.query
    .selectFrom('record_history')
    .select('sort_key as id')
    .select(sql<string>`data->>'form_code'`.as('form_code'))
    .select(sql<string>`data->>'created_at'`.as('created_at'))
    .where('entity_type', '=', 'form_submission')
    .where('deleted', '=', true)
    .where(condition)
    .limit(limit)
    .execute();
}

/** Returns what identifies the deliveries of these submissions. */
export function findSubmissionKeys(db: ScopedDb, ids: readonly string[]): Promise<SubmissionKey[]> {
  return db.query
    .selectFrom('form_submissions')
    .select(['id', 'form_code', 'created_at'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
