import { type RawBuilder, sql } from 'kysely';
import { derivedId } from '../../../db/derived-id.ts';
import type { Moment } from '../../../db/tables.ts';
import { currentCause } from '../../../db/work-kind.ts';
import { causeText, loopError } from '../../../flows/chain.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { DeliveryWebhook } from '../../../work-queue/delivery-source.ts';
import type { FailingWebhook } from '../../../work-queue/failing-webhooks.ts';
import { IS_FAILING } from '../../../work-queue/target-outcomes.ts';

/**
 * Makes a delivery due now, also during an attempt. A finished delivery starts again at zero attempts; a pending one
 * keeps its attempts. Returns false if the webhook has no such delivery.
 */
export async function makeDeliveryDue(
  db: ScopedDb,
  webhookId: string,
  deliveryId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('webhook_deliveries')
    .set({
      state: 'pending',
      due_at: now,
      claim_id: null,
      attempts: sql<number>`case when state = 'pending' then attempts else 0 end`,
      faults: sql<number>`case when state = 'pending' then faults else 0 end`,
    })
    .where('id', '=', deliveryId)
    .where('target_id', '=', webhookId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the codes of the forms of webhooks, by the webhook's id. */
export async function formCodesOf(
  db: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('webhooks')
    .select(['id', 'form_code'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, form_code }) => [id, form_code]));
}

/** The members of a submission by which its deliveries are found. */
export interface SubmissionKey {
  readonly id: string;
  readonly form_code: string;
  readonly created_at: string;
}

/**
 * Makes the finished and pending deliveries of submissions due now, if their webhooks are active and belong to one of
 * these units. Returns the number of submissions with such deliveries.
 */
export async function makeDeliveriesOfDue(
  tx: ScopedDb,
  submissions: readonly SubmissionKey[],
  unitIds: readonly string[],
  now: Date,
): Promise<number> {
  const json = JSON.stringify(submissions);
  const { rows } = await tx.raw<{ submission_id: string }>(
    (tenantId) => sql`
      update webhook_deliveries d set state = 'pending', due_at = ${now}::timestamptz, claim_id = null,
        attempts = case when d.state = 'pending' then d.attempts else 0 end,
        faults = case when d.state = 'pending' then d.faults else 0 end
      from webhooks w, json_to_recordset(${json}::json) as s (id uuid, form_code text, created_at timestamptz)
      where d.tenant_id = ${tenantId}::uuid and w.tenant_id = ${tenantId}::uuid
        and w.form_code = s.form_code and w.active and w.owner_bu_id = any(${unitIds}::uuid[])
        -- A delivery has the time of its submission, by which an index finds it.
        and d.target_id = w.id and d.created_at = s.created_at and d.submission_id = s.id
      returning d.submission_id`,
    { plan: 'custom' },
  );
  return new Set(rows.map((row) => row.submission_id)).size;
}

/** Lists webhooks by name: all, or those with these ids. */
export function listNamedWebhooks(db: ScopedDb, ids?: readonly string[]): Promise<DeliveryWebhook[]> {
  const query = db.query.selectFrom('webhooks').select(['id', 'name', 'active as is_active', 'owner_bu_id']);
  return (ids === undefined ? query : query.where('id', 'in', ids)).orderBy('name').orderBy('id').execute();
}

/** Lists the newest of the active webhooks that need attention, each with the number of all of them. */
export function listFailingWebhooks(db: ScopedDb, limit: number): Promise<FailingWebhook[]> {
  return db.query
    .selectFrom('webhooks')
    .select(['id', 'name', 'owner_bu_id', 'failing_since', 'failed_attempts', 'failed_deliveries'])
    .select([sql<number>`count(*) over ()::int`.as('total')])
    .where(IS_FAILING)
    .where('active', '=', true)
    .orderBy('failing_since', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes the deliveries of submissions, including pending ones. */
export async function deleteDeliveriesOf(tx: ScopedDb, submissions: readonly SubmissionKey[]): Promise<void> {
  const json = JSON.stringify(submissions);
  await tx.raw((tenantId) => sql`select tessera_delete_deliveries(${tenantId}::uuid, ${json}::json)`);
}

/** An accepted submission, with the data that deliveries need. */
export interface DeliverableSubmission {
  readonly tenantId: string;
  readonly formCode: string;
  readonly submissionId: string;
  readonly now: Moment;
}

/**
 * Inserts one delivery for each active webhook of the submission's form, in the submission's transaction. If the chain
 * that led to the submission is too long, the deliveries are inserted as failed. Usable as a statement or in a CTE.
 * Wake the queue after the commit.
 */
export function insertDeliveries(submission: DeliverableSubmission): RawBuilder<unknown> {
  const { tenantId, formCode, submissionId, now } = submission;
  const loop = loopError(currentCause(tenantId));
  return sql`insert into webhook_deliveries
      (tenant_id, id, target_id, submission_id, state, due_at, attempts, last_error, created_at, cause)
    select tenant_id, ${derivedId(now, sql`uuid_send(id) || uuid_send(${submissionId}::uuid)`)}, id, ${submissionId}::uuid,
      ${loop === null ? 'pending' : 'failed'}, ${now}::timestamptz, 0, ${loop}, ${now}::timestamptz, ${causeText(tenantId)}::json
    from webhooks where tenant_id = ${tenantId}::uuid and form_code = ${formCode} and active`;
}
