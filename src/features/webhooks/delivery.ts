/** The ledger of webhook deliveries: what one attempt sends (document 1, Events; decisions section 5). */
import {
  attemptHttp,
  endedAttempts,
  HTTP_CONCURRENCY,
  HTTP_DUE_TIMES,
  httpLeaseSeconds,
  latestPerTarget,
} from '../../ledger/http-attempt.ts';
import type { Claim, Outcome } from '../../ledger/ledger.ts';
import { defineLedger } from '../../ledger/ledger.ts';
import type { Platform } from '../../platform.ts';
import { openHeaders } from './headers.ts';
import { type LoadedDelivery, loadDeliveries, noteLastAttempts } from './queries.ts';

/** Deliveries to webhooks. `platform.ledgers.wake(webhookDeliveries)` after a commit that wrote some. */
export const webhookDeliveries = defineLedger<LoadedDelivery>({
  name: 'webhook-deliveries',
  table: 'webhook_deliveries',
  dueTimes: HTTP_DUE_TIMES,
  ...HTTP_CONCURRENCY,
  leaseSeconds: httpLeaseSeconds,
  load: async ({ database }, claims) => {
    const loaded = await loadDeliveries(database.everyTenant, claims);
    return new Map(loaded.map((delivery) => [delivery.id, delivery]));
  },
  attempt: attemptDelivery,
  noteWithSettling: (settlements) => {
    const attempts = latestPerTarget(endedAttempts(settlements));
    return attempts.length === 0 ? null : noteLastAttempts(attempts);
  },
});

function attemptDelivery(platform: Platform, claim: Claim, delivery: LoadedDelivery): Promise<Outcome> {
  return attemptHttp(platform, claim, () => ({
    url: delivery.url,
    headers: openHeaders(platform.secrets, delivery.webhook_id, delivery.headers),
    body: `{"data":${delivery.record}}`,
  }));
}
