/** The ledger of webhook deliveries: what one attempt sends (document 1, Events; decisions section 5). */
import { defineHttpLedger } from '../../ledger/http-ledger.ts';
import { openHeaders } from './headers.ts';
import { type LoadedDelivery, loadDeliveries } from './queries.ts';

/** Deliveries to webhooks. `platform.ledgers.wake(webhookDeliveries)` after a commit that wrote some. */
export const webhookDeliveries = defineHttpLedger<LoadedDelivery>({
  name: 'webhook-deliveries',
  table: 'webhook_deliveries',
  noteFunction: 'tessera_note_attempts',
  load: async ({ database }, claims) => {
    const loaded = await loadDeliveries(database.everyTenant('webhook-deliveries'), claims);
    return new Map(loaded.map((delivery) => [delivery.id, delivery]));
  },
  toDelivery: ({ secrets }, { url, webhook_id, headers, record }) => ({
    url,
    headers: openHeaders(secrets, webhook_id, headers),
    body: `{"data":${record}}`,
  }),
});
