import { type RawBuilder, sql } from 'kysely';
import Type from 'typebox';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { deleteRows } from '../../../jobs/bounded-deletion.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { ATTEMPTS_OF_DELETED } from '../../../work-queue/delivery-attempts.ts';

const TIMEOUT_SECONDS = 900;

const WebhookPayload = { tenantId: Type.String(), webhookId: Type.String() };

/** Finished deliveries in the log. */
export const deliveryLogRetention = defineRetention({
  description: 'finished entries of delivery logs',
  keptHours: 30 * 24,
  table: 'webhook_deliveries',
  isOld: (before) => sql`r.id < ${firstIdOf(before)} and r.state <> 'pending'`,
  dependents: ATTEMPTS_OF_DELETED,
  byTenant: true,
});

/**
 * Drops pending deliveries of a deactivated webhook. The queue would drop each at its due time; this job does it
 * before the webhook can be reactivated.
 */
export const dropWaitingDeliveries = defineJob({
  name: 'webhooks.drop-waiting-deliveries',
  payload: Type.Object({ ...WebhookPayload, before: Type.String() }),
  timeoutSeconds: TIMEOUT_SECONDS,
  run: (platform, { before, ...webhook }) =>
    removeDeliveries(platform, webhook, sql`r.state = 'pending' and r.created_at <= ${new Date(before)}`),
});

/** Deletes the delivery log of a deleted webhook, including pending deliveries. */
export const removeDeliveryLog = defineJob({
  name: 'webhooks.remove-delivery-log',
  payload: Type.Object(WebhookPayload),
  timeoutSeconds: TIMEOUT_SECONDS,
  run: (platform, webhook) => removeDeliveries(platform, webhook, sql`true`),
});

async function removeDeliveries(
  { config, scoped }: Platform,
  { tenantId, webhookId }: { readonly tenantId: string; readonly webhookId: string },
  condition: RawBuilder<unknown>,
): Promise<void> {
  const where = sql`r.target_id = ${webhookId} and ${condition}`;
  const db = scoped(wholeTenant(tenantId));
  const rows = { table: 'webhook_deliveries', where, tenantIds: [tenantId], dependents: ATTEMPTS_OF_DELETED };
  await deleteRows((statement) => db.raw(() => statement), rows, config.jobBatchSize);
}
