/** Queue of webhook deliveries (docs/specification/webhooks.md#delivery). */
import type { StoredCause } from '../../../flows/chain.ts';
import { signatureHeaders } from '../../../outbound/webhook-signature.ts';
import type { Platform } from '../../../platform.ts';
import { defineHttpWorkQueue } from '../../../work-queue/http-work-queue.ts';
import { openHeaders, secretValues } from './headers.ts';
import type { WebhookRow } from './resource.ts';

/** Data for one attempt: the current target and the record to send. */
interface LoadedDelivery extends Pick<WebhookRow, 'url' | 'headers' | 'signing_secret'> {
  readonly delivery_id: string;
  readonly webhook_id: string;
  /** JSON text of the submission as its GET returns it; null if it is too large for the batch loader. */
  readonly record: string | null;
  readonly record_bytes: number;
  readonly cause: StoredCause | null;
}

/** Deliveries to webhooks. Call `platform.workQueues.wake(webhookDeliveries)` after a commit that added some. */
export const webhookDeliveries = defineHttpWorkQueue<LoadedDelivery>({
  name: 'webhook-deliveries',
  table: 'webhook_deliveries',
  loadFunction: 'tessera_load_deliveries',
  omittedBytes: ({ record, record_bytes }) => (record === null ? record_bytes : null),
  outcomes: { function: 'tessera_record_webhook_attempts' },
  toDelivery: (platform, { delivery_id, webhook_id, record, ...webhook }) => {
    const body = `{"data":${record}}`;
    const headers = headersOf(platform, { id: webhook_id, ...webhook }, { id: delivery_id, body });
    return { url: webhook.url, headers, body, secrets: secretValues(webhook.headers, headers) };
  },
});

/**
 * Returns the webhook's headers and the signature. @throws SecretBoxError if a secret was encrypted with another
 * SECRET_KEY.
 */
export function headersOf(
  { secrets, clock }: Pick<Platform, 'secrets' | 'clock'>,
  { id, headers, signing_secret }: Pick<WebhookRow, 'id' | 'headers' | 'signing_secret'>,
  posted: { readonly id: string; readonly body: string },
): Readonly<Record<string, string>> {
  const secret = signing_secret === null ? null : secrets.open(signing_secret, id);
  return { ...openHeaders(secrets, id, headers), ...signatureHeaders(secret, { ...posted, at: clock() }) };
}
