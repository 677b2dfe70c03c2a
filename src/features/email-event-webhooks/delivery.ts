/** The ledger of event deliveries: the same rules as for form webhooks (decisions section 6). */
import {
  attemptHttp,
  endedAttempts,
  HTTP_CONCURRENCY,
  HTTP_DUE_TIMES,
  httpLeaseSeconds,
} from '../../ledger/http-attempt.ts';
import { type Claim, defineLedger, type Outcome } from '../../ledger/ledger.ts';
import type { Platform } from '../../platform.ts';
import { openEventWebhookSecret } from '../email-settings/index.ts';
import { toEventBody } from './event-body.ts';
import { type LoadedEventDelivery, loadEventDeliveries, noteEventAttempts } from './queries.ts';
import { signatureHeaders } from './signature.ts';

/** Deliveries to event webhooks. `platform.ledgers.wake(emailEventDeliveries)` after a commit that wrote some. */
export const emailEventDeliveries = defineLedger<LoadedEventDelivery>({
  name: 'email-event-deliveries',
  table: 'email_event_deliveries',
  dueTimes: HTTP_DUE_TIMES,
  ...HTTP_CONCURRENCY,
  leaseSeconds: httpLeaseSeconds,
  load: async ({ database }, claims) => {
    const loaded = await loadEventDeliveries(database.everyTenant, claims);
    return new Map(loaded.map((delivery) => [delivery.delivery_id, delivery]));
  },
  attempt: attemptEventDelivery,
  noteWithSettling: (settlements) => {
    const attempts = endedAttempts(settlements);
    return attempts.length === 0 ? null : noteEventAttempts(attempts);
  },
});

function attemptEventDelivery(
  platform: Platform,
  claim: Claim,
  loaded: LoadedEventDelivery,
): Promise<Outcome> {
  return attemptHttp(platform, claim, () => {
    const secret = openEventWebhookSecret(platform.secrets, { id: loaded.webhook_id, secret: loaded.secret });
    const body = JSON.stringify(toEventBody(loaded));
    const signed = { id: loaded.event_id, at: platform.clock(), body };
    return { url: loaded.target, headers: secret === null ? {} : signatureHeaders(secret, signed), body };
  });
}
