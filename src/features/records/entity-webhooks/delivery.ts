/** Queue of webhook deliveries for record changes (docs/specification/records.md#delivery). */
import { createHmac } from 'node:crypto';
import type { StoredCause } from '../../../flows/chain.ts';
import { SIGNATURE_HEADER, signatureHeaders } from '../../../outbound/webhook-signature.ts';
import { defineHttpWorkQueue } from '../../../work-queue/http-work-queue.ts';

/** Data for one attempt: the current webhook and the change. */
interface LoadedChange {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly url: string;
  readonly secret: string;
  readonly entity: string;
  readonly kind: string;
  readonly occurred_at: string;
  /** JSON text of the record; null if it is too large for the batch loader. */
  readonly record: string | null;
  readonly record_bytes: number;
  readonly cause: StoredCause | null;
}

/** Deliveries to entity webhooks. Call `platform.workQueues.wake(changeDeliveries)` after a commit that added some. */
export const changeDeliveries = defineHttpWorkQueue<LoadedChange>({
  name: 'entity-change-deliveries',
  table: 'entity_change_deliveries',
  loadFunction: 'tessera_load_entity_change_deliveries',
  omittedBytes: ({ record, record_bytes }) => (record === null ? record_bytes : null),
  outcomes: { table: 'entity_webhooks' },
  toDelivery: ({ secrets, clock }, { delivery_id, webhook_id, url, secret: sealed, ...change }) => {
    const secret = secrets.open(sealed, webhook_id);
    const { body, signature } = signedBody(change, secret);
    const standard = signatureHeaders(secret, { id: delivery_id, at: clock(), body });
    const { [SIGNATURE_HEADER]: standardSignature = '' } = standard;
    return {
      url,
      headers: { ...standard, 'X-Signature': signature },
      body,
      secrets: [signature, standardSignature],
    };
  },
});

/**
 * Returns the signed body. The signature covers the JSON text without `signature`, in this member order
 * (docs/specification/records.md#delivery). The text is that of `JSON.stringify`, because receivers recreate it to
 * compare; PostgreSQL formats large and small numbers differently.
 */
function signedBody(
  { entity, kind, occurred_at, record }: Pick<LoadedChange, 'entity' | 'kind' | 'occurred_at' | 'record'>,
  secret: string,
) {
  const event = JSON.stringify(`${entity}.${kind}`);
  const timestamp = JSON.stringify(new Date(occurred_at).toISOString());
  const data = JSON.stringify(JSON.parse(record ?? 'null'));
  const payload = `{"event":${event},"entity":${JSON.stringify(entity)},"data":${data},"timestamp":${timestamp}}`;
  const signature = `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`;
  return { body: `${payload.slice(0, -1)},"signature":${JSON.stringify(signature)}}`, signature };
}
