/** The ledger of event deliveries: the same rules as for form webhooks (decisions section 6). */
import { defineHttpLedger } from '../../ledger/http-ledger.ts';
import { openEventWebhookSecret } from '../email-settings/index.ts';
import { toEventBody } from './event-body.ts';
import { type LoadedEventDelivery, loadEventDeliveries } from './queries.ts';
import { signatureHeaders } from './signature.ts';

/** Deliveries to event webhooks. `platform.ledgers.wake(emailEventDeliveries)` after a commit that wrote some. */
export const emailEventDeliveries = defineHttpLedger<LoadedEventDelivery>({
  name: 'email-event-deliveries',
  table: 'email_event_deliveries',
  noteFunction: 'tessera_note_event_attempts',
  load: async ({ database }, claims) => {
    const loaded = await loadEventDeliveries(database.everyTenant('event-deliveries'), claims);
    return new Map(loaded.map((delivery) => [delivery.delivery_id, delivery]));
  },
  toDelivery: ({ secrets, clock }, loaded) => {
    const secret = openEventWebhookSecret(secrets, { id: loaded.webhook_id, secret: loaded.secret });
    const body = JSON.stringify(toEventBody(loaded));
    const signed = { id: loaded.event_id, at: clock(), body };
    return { url: loaded.target, headers: secret === null ? {} : signatureHeaders(secret, signed), body };
  },
});
