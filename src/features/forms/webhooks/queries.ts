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

/** A deleted submission. */
export interface DeletedSubmission {
  readonly id: string;
  readonly form_code: string;
  readonly created_at: string;
}

/** Deletes the deliveries of submissions, including pending ones. */
export async function deleteDeliveriesOf(
  tx: ScopedDb,
  submissions: readonly DeletedSubmission[],
): Promise<void> {
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
