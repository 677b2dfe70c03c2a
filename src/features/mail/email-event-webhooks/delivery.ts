/**
 * The work queue of event deliveries: the same rules as for form webhooks
 * (docs/specification/email-events.md#event-webhooks).
 */

import { SIGNATURE_HEADER, signatureHeaders } from '../../../outbound/webhook-signature.ts';
import { defineHttpWorkQueue } from '../../../work-queue/http-work-queue.ts';
import { openEventWebhookSecret } from '../../email-settings/api.ts';
import { toEventBody } from './event-body.ts';
import type { LoadedEventDelivery } from './queries.ts';

/** Deliveries to event webhooks. Wake this queue after a commit that wrote some. */
export const emailEventDeliveries = defineHttpWorkQueue<LoadedEventDelivery>({
  name: 'email-event-deliveries',
  table: 'email_event_deliveries',
  loadFunction: 'tessera_load_event_deliveries',
  omittedBytes: ({ is_left_out, data_bytes }) => (is_left_out ? data_bytes : null),
  outcomes: { table: 'email_event_webhooks' },
  toDelivery: ({ secrets, clock }, loaded) => {
    const secret = openEventWebhookSecret(secrets, { id: loaded.webhook_id, secret: loaded.secret });
    const body = JSON.stringify(toEventBody(loaded));
    // The id of the event is the same for all of its receivers.
    const signed = { id: loaded.event_id, at: clock(), body };
    const headers = signatureHeaders(secret, signed);
    const { [SIGNATURE_HEADER]: signature } = headers;
    return { url: loaded.target, headers, body, secrets: signature === undefined ? [] : [signature] };
  },
});
