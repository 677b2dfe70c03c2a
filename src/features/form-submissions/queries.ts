import { sql } from 'kysely';
import { type Actor, toActorRecord } from '../../tenancy/actor.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { countUp, type FormForSubmission } from '../forms/index.ts';
import { insertDeliveries } from '../webhooks/index.ts';
import type { SubmissionRecord } from './resource.ts';

/**
 * Stores an accepted submission with its history, its count and a delivery for every webhook of the form, in one
 * statement and so in one round trip.
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
        email_address, form_data, subscriber_created, journey_triggered, ip_address, user_agent, events)
      values (${tenantId}, ${record.id}, ${form.code}, ${form.name}, ${form.owner_bu_id}, ${record.version},
        ${record.created_at}, ${record.email_address}, ${JSON.stringify(record.form_data)},
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
