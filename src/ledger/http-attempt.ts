/**
 * One attempt to deliver JSON to a URL that a tenant gave, and what its result means: the same rules for every kind
 * of webhook (document 1, Events; decisions sections 5 and 6).
 */
import type { OutboundResult } from '../outbound/outbound-client.ts';
import type { Platform } from '../platform.ts';
import { openedOrNull, SECRET_KEY_CHANGED } from '../secrets/secret-box.ts';
import type { Claim, DueTimes, Outcome, Settlement } from './ledger.ts';

const JITTER = 0.2;
const MAX_RETRY_AFTER_SECONDS = 3600;
const GONE = 410;
/** Beyond the attempt itself: time to load the batch before it and to settle it after. */
const LEASE_MARGIN_SECONDS = 10;

/** What is posted where. */
export interface HttpDelivery {
  readonly url: string;
  /** Beside `Content-Type`, `Tessera-Delivery-Id` and `Tessera-Attempt`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** The bounds on attempts under way at once in one process, for ledgers of HTTP deliveries. */
export const HTTP_CONCURRENCY = {
  // A receiver that never answers holds 16 places for the time of an attempt: it takes 32 such webhooks, of at
  // least two tenants, until others wait for them.
  concurrency: 512,
  concurrencyPerTarget: 16,
  concurrencyPerTenant: 256,
  // Rows are claimed ahead for longer than this.
  claimEveryMs: 20,
} as const;

/** Rows are due from the moment they are written, and later as far as the configuration or a receiver asks. */
export const HTTP_DUE_TIMES: DueTimes = {
  longestWaitSeconds: ({ config }, attempts) =>
    Math.max(MAX_RETRY_AFTER_SECONDS, (config.webhookBackoffSeconds[attempts - 1] ?? 0) * (1 + JITTER)),
};

/** A lease longer than one attempt can take, seconds. */
export function httpLeaseSeconds({ config }: Platform): number {
  return config.webhookTimeoutSeconds + LEASE_MARGIN_SECONDS;
}

/**
 * Posts once what `prepare` makes, which may throw a SecretBoxError: that counts as no answer. Any 2xx is success; 410
 * ends the delivery; anything else, or no answer in time, is retried after the wait for this attempt, or later when the
 * receiver asks for it. Never rejects for what the outside world does.
 */
export async function attemptHttp(
  platform: Platform,
  claim: Claim,
  prepare: () => HttpDelivery,
): Promise<Outcome> {
  const delivery = openedOrNull(prepare);
  if (delivery === null) {
    return failed(platform, claim, { statusCode: null, error: SECRET_KEY_CHANGED, askedSeconds: 0 });
  }
  const { url, headers, body } = delivery;
  const result = await platform.outbound.send({
    url,
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      'Tessera-Delivery-Id': claim.id,
      'Tessera-Attempt': String(claim.attempts + 1),
    },
    body,
    timeoutMs: platform.config.webhookTimeoutSeconds * 1000,
  });
  return toOutcome(platform, claim, result);
}

function toOutcome(platform: Platform, claim: Claim, result: OutboundResult): Outcome {
  if (!result.ok) return failed(platform, claim, { statusCode: null, error: result.error, askedSeconds: 0 });
  const { status: statusCode, headers } = result;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'success', statusCode };
  const error = `The receiver answered with status ${statusCode}.`;
  if (statusCode === GONE) return { kind: 'failed', statusCode, error };
  const askedSeconds = platform.outbound.retryAfterSeconds(headers, platform.clock()) ?? 0;
  return failed(platform, claim, { statusCode, error, askedSeconds });
}

interface Failure {
  readonly statusCode: number | null;
  readonly error: string;
  readonly askedSeconds: number;
}

/** Another attempt after the wait for it, or the end when there is no wait left. */
function failed(platform: Platform, claim: Claim, { statusCode, error, askedSeconds }: Failure): Outcome {
  const backoff = platform.config.webhookBackoffSeconds[claim.attempts];
  if (backoff === undefined) return { kind: 'failed', statusCode, error };
  const jittered = backoff * (1 + JITTER * (2 * Math.random() - 1));
  const seconds = Math.max(jittered, Math.min(askedSeconds, MAX_RETRY_AFTER_SECONDS));
  return { kind: 'retry', statusCode, error, dueAt: new Date(platform.clock().getTime() + seconds * 1000) };
}

/** The end of an attempt, as it is noted on its target. */
export interface EndedAttempt {
  readonly tenant_id: string;
  /** The target's. */
  readonly id: string;
  readonly at: Date;
  readonly status: 'success' | 'failed';
}

/** The attempts of a batch that were really made. */
export function endedAttempts(settlements: readonly Settlement[]): EndedAttempt[] {
  return settlements
    .filter(({ outcome }) => outcome.kind !== 'drop' && outcome.kind !== 'abandoned')
    .map(({ claim, outcome, at }) => ({
      tenant_id: claim.tenantId,
      id: claim.targetId,
      at,
      status: outcome.kind === 'success' ? 'success' : 'failed',
    }));
}

/** The latest attempt to each target. */
export function latestPerTarget(attempts: readonly EndedAttempt[]): EndedAttempt[] {
  const latest = new Map<string, EndedAttempt>();
  for (const attempt of attempts) {
    const earlier = latest.get(attempt.id);
    if (earlier === undefined || earlier.at <= attempt.at) latest.set(attempt.id, attempt);
  }
  return [...latest.values()];
}
