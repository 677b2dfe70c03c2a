import Type from 'typebox';
import { NIL } from 'uuid';
import { defineJob } from '../../jobs/jobs.ts';
import { deleteEnded, deleteLog, deleteWaiting, listWebhookKeys, type WebhookKey } from './queries.ts';

const TIMEOUT_SECONDS = 900;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the delivery log keeps what has ended; the user guide tells it. */
const LOG_DAYS = 30;
const WEBHOOKS_AT_ONCE = 200;
const BEFORE_ALL: WebhookKey = { tenantId: NIL, webhookId: NIL };

const WebhookPayload = { tenantId: Type.String(), webhookId: Type.String() };

/**
 * Drops what waited for a webhook when it was deactivated. The ledger would drop each at its due time anyway; this
 * does so before the webhook may be active again.
 */
export const dropWaitingDeliveries = defineJob({
  name: 'webhooks.drop-waiting-deliveries',
  payload: Type.Object({ ...WebhookPayload, before: Type.String() }),
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async ({ config, database }, { before, ...key }) => {
    const moment = new Date(before);
    await inBatches(config.jobBatchSize, (limit) => deleteWaiting(database.everyTenant, key, moment, limit));
  },
});

/** Removes the delivery log of a deleted webhook, waiting deliveries included. */
export const removeDeliveryLog = defineJob({
  name: 'webhooks.remove-delivery-log',
  payload: Type.Object(WebhookPayload),
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async ({ config, database }, key) => {
    await inBatches(config.jobBatchSize, (limit) => deleteLog(database.everyTenant, key, limit));
  },
});

/** Removes deliveries that have ended and are older than 30 days, of all webhooks, every hour. */
export const removeOldDeliveries = defineJob({
  name: 'webhooks.remove-old-deliveries',
  payload: Type.Object({}),
  timeoutSeconds: TIMEOUT_SECONDS,
  schedule: '17 * * * *',
  run: async ({ config, clock, database }) => {
    const before = new Date(clock().getTime() - LOG_DAYS * DAY_MS);
    let last: WebhookKey | undefined = BEFORE_ALL;
    while (last !== undefined) {
      const keys: WebhookKey[] = await listWebhookKeys(database.everyTenant, last, WEBHOOKS_AT_ONCE);
      if (keys.length > 0) {
        await inBatches(config.jobBatchSize, (limit) =>
          deleteEnded(database.everyTenant, keys, before, limit),
        );
      }
      last = keys.at(-1);
    }
  },
});

/** Repeats a bounded deletion until it finds less than a whole batch. */
async function inBatches(limit: number, deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteBatch(limit)) >= limit);
}
