import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { EveryTenantDb } from '../../db/every-tenant.ts';
import type { Time } from '../../db/tables.ts';
import type { HttpLedgerRow } from '../../ledger/http-ledger.ts';
import { offsetOf, type PageRequest, totalOf } from '../../resources/paging.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { WebhookRow } from './resource.ts';

interface DeliveryTable extends HttpLedgerRow {
  submission_id: string;
  created_at: Time;
}

declare module '../../db/tables.ts' {
  interface Tables {
    webhook_deliveries: DeliveryTable;
  }
}

/** A delivery owed to a webhook (`target_id`) for a submission. */
export type DeliveryRow = Selectable<DeliveryTable>;

/** One page of a webhook's delivery log, newest first, and the length of the log. */
export async function listDeliveries(db: ScopedDb, webhookId: string, page: PageRequest) {
  const log = () => db.query.selectFrom('webhook_deliveries').where('target_id', '=', webhookId);
  const rows = await log()
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute();
  const total = await totalOf(page, rows.length, async () => {
    const counted = await log().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return counted.total;
  });
  return { rows, total };
}

/**
 * Makes a delivery due now: an ended one begins a new chain of attempts, a waiting one does not wait any longer.
 * False when the webhook has no such delivery.
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
      attempts: sql<number>`case when state = 'pending' then attempts else 0 end`,
    })
    .where('id', '=', deliveryId)
    .where('target_id', '=', webhookId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An accepted submission, as far as its deliveries need it. */
export interface DeliverableSubmission {
  readonly tenantId: string;
  readonly formCode: string;
  readonly submissionId: string;
  readonly now: Date | string;
}

/**
 * One waiting delivery for each active webhook of the submission's form, to be written in the submission's own
 * transaction; usable as a statement or as the body of a CTE. Wake the ledger once it has committed.
 */
export function insertDeliveries(submission: DeliverableSubmission): RawBuilder<unknown> {
  const { tenantId, formCode, submissionId, now } = submission;
  return sql`insert into webhook_deliveries
      (tenant_id, id, target_id, submission_id, state, due_at, attempts, created_at)
    select tenant_id, tessera_uuidv7(${now}::timestamptz), id, ${submissionId}::uuid, 'pending',
      ${now}::timestamptz, 0, ${now}::timestamptz
    from webhooks where tenant_id = ${tenantId}::uuid and form_code = ${formCode} and active`;
}

/** What one attempt needs: the target as it is now, and the record to send. */
export interface LoadedDelivery extends Pick<WebhookRow, 'url' | 'headers'> {
  readonly id: string;
  readonly webhook_id: string;
  /** JSON text of the submission as its GET shows it. */
  readonly record: string;
}

/**
 * Reads webhooks and records for deliveries of any tenants in one statement. Deliveries of inactive or deleted
 * webhooks, and of submissions that are gone, are left out.
 */
export async function loadDeliveries(
  all: EveryTenantDb,
  deliveries: readonly { readonly tenantId: string; readonly id: string }[],
): Promise<LoadedDelivery[]> {
  const tenantIds = deliveries.map(({ tenantId }) => tenantId);
  const ids = deliveries.map(({ id }) => id);
  const { rows } = await all.raw(sql<LoadedDelivery>`
    select delivery_id as id, webhook_id, url, headers, record
    from tessera_load_deliveries(${tenantIds}, ${ids})`);
  return rows;
}
