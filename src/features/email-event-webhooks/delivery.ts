/** The ledger of event deliveries: the same rules as for form webhooks (decisions section 6). */
import {
  attemptHttp,
  endedAttempts,
  failedAttempt,
  HTTP_CONCURRENCY,
  HTTP_DUE_TIMES,
  httpLeaseSeconds,
} from '../../ledger/http-attempt.ts';
import { type Claim, defineLedger, type Outcome } from '../../ledger/ledger.ts';
import type { Platform } from '../../platform.ts';
import { SecretBoxError } from '../../secrets/secret-box.ts';
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
  afterSettle: async (query, settlements) => {
    const attempts = endedAttempts(settlements);
    if (attempts.length > 0) await noteEventAttempts(query, attempts);
  },
});

async function attemptEventDelivery(
  platform: Platform,
  claim: Claim,
  loaded: LoadedEventDelivery,
): Promise<Outcome> {
  let secret: string | null;
  try {
    secret = openEventWebhookSecret(platform.secrets, { id: loaded.webhook_id, secret: loaded.secret });
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return failedAttempt(platform, claim, 'The secret cannot be opened: SECRET_KEY has changed.');
  }
  const body = JSON.stringify(toEventBody(loaded));
  const signed = { id: loaded.event_id, at: platform.clock(), body };
  const headers = secret === null ? {} : signatureHeaders(secret, signed);
  return attemptHttp(platform, claim, { url: loaded.target, headers, body });
}
