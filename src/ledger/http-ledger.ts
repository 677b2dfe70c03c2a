/**
 * Ledgers that deliver JSON to URLs that a tenant gave: an attempt, and what its result means. The same rules for every
 * kind of webhook (document 1, Events; decisions sections 5 and 6).
 */
import { type RawBuilder, sql } from 'kysely';
import type { OutboundResult } from '../outbound/outbound-client.ts';
import type { Platform } from '../platform.ts';
import { openedOrNull, SECRET_KEY_CHANGED } from '../secrets/secret-box.ts';
import {
  type Claim,
  defineLedger,
  type Ledger,
  type LedgerDefinition,
  type LedgerRow,
  type Outcome,
  type Settlement,
} from './ledger.ts';
import { settleCall } from './ledger-queries.ts';

const JITTER = 0.2;
const MAX_RETRY_AFTER_SECONDS = 3600;
const GONE = 410;
/** Beyond the attempt itself: time to load the batch before it and to settle it after. */
const LEASE_MARGIN_SECONDS = 10;

/** A row of such a ledger. */
export interface HttpLedgerRow extends LedgerRow {
  last_status_code: number | null;
}

/** What is posted where. */
export interface HttpDelivery {
  readonly url: string;
  /** Beside `Content-Type`, `Tessera-Delivery-Id` and `Tessera-Attempt`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** What an attempt found out: the status of the answer; null when there was none. */
export interface HttpNote {
  readonly statusCode: number | null;
}

/** A ledger of HTTP deliveries, and what is its own. */
export interface HttpLedgerDefinition<Work> extends Pick<LedgerDefinition<Work>, 'name' | 'table' | 'load'> {
  /** What to post; a SecretBoxError that it throws counts as no answer. */
  readonly toDelivery: (platform: Platform, work: Work) => HttpDelivery;
  /** The SQL function that notes the last attempts on their targets: tenants, targets, moments, statuses. */
  readonly noteFunction: string;
}

/** Declares a ledger whose attempts post JSON. Its table has a column `last_status_code`. */
export function defineHttpLedger<Work>(definition: HttpLedgerDefinition<Work>): Ledger {
  const { name, table, load, toDelivery, noteFunction } = definition;
  return defineLedger<Work, HttpNote>({
    ...{ name, table, load },
    // A receiver that never answers holds 16 places for the time of an attempt: it takes 32 such webhooks, of at
    // least two tenants, until others wait for them.
    concurrency: 512,
    concurrencyPerTarget: 16,
    concurrencyPerTenant: 256,
    dueTimes: {
      longestWaitSeconds: ({ config }, attempts) =>
        Math.max(MAX_RETRY_AFTER_SECONDS, (config.webhookBackoffSeconds[attempts - 1] ?? 0) * (1 + JITTER)),
    },
    leaseSeconds: ({ config }) => config.webhookTimeoutSeconds + LEASE_MARGIN_SECONDS,
    attempt: (platform, claim, work) => attemptHttp(platform, claim, () => toDelivery(platform, work)),
    settle: async (all, settlements) => {
      const rows = settleCall(table, settlements, (note) => ({ last_status_code: note?.statusCode ?? null }));
      await all.raw(sql`select ${rows}, ${noteCall(noteFunction, settlements)}`);
    },
  });
}

/** The last success and the last failure of each target. */
function noteCall(name: string, settlements: readonly Settlement<HttpNote>[]): RawBuilder<unknown> {
  const latest = new Map<string, { claim: Claim; at: Date; status: string }>();
  for (const { claim, outcome, at } of settlements) {
    if (outcome.kind === 'drop') continue;
    const status = outcome.kind === 'success' ? 'success' : 'failed';
    const key = `${claim.tenantId} ${claim.targetId} ${status}`;
    if ((latest.get(key)?.at ?? at) <= at) latest.set(key, { claim, at, status });
  }
  const noted = [...latest.values()];
  return sql`${sql.raw(name)}(${noted.map(({ claim }) => claim.tenantId)},
    ${noted.map(({ claim }) => claim.targetId)}, ${noted.map(({ at }) => at)}, ${noted.map(({ status }) => status)})`;
}

/**
 * Posts once. Any 2xx is success; 410 ends the delivery; anything else, or no answer in time, is retried after the wait
 * for this attempt, or later when the receiver asks for it.
 */
async function attemptHttp(
  platform: Platform,
  claim: Claim,
  toDelivery: () => HttpDelivery,
): Promise<Outcome<HttpNote>> {
  const delivery = openedOrNull(toDelivery);
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

function toOutcome(platform: Platform, claim: Claim, result: OutboundResult): Outcome<HttpNote> {
  if (!result.ok) return failed(platform, claim, { statusCode: null, error: result.error, askedSeconds: 0 });
  const { status: statusCode, headers } = result;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'success', note: { statusCode } };
  const error = `The receiver answered with status ${statusCode}.`;
  if (statusCode === GONE) return { kind: 'failed', error, note: { statusCode } };
  const askedSeconds = platform.outbound.retryAfterSeconds(headers, platform.clock()) ?? 0;
  return failed(platform, claim, { statusCode, error, askedSeconds });
}

interface Failure extends HttpNote {
  readonly error: string;
  readonly askedSeconds: number;
}

/** Another attempt after the wait for it, or the end when there is no wait left. */
function failed(
  platform: Platform,
  claim: Claim,
  { statusCode, error, askedSeconds }: Failure,
): Outcome<HttpNote> {
  const note = { statusCode };
  const backoff = platform.config.webhookBackoffSeconds[claim.attempts];
  if (backoff === undefined) return { kind: 'failed', error, note };
  const jittered = backoff * (1 + JITTER * (2 * Math.random() - 1));
  const seconds = Math.max(jittered, Math.min(askedSeconds, MAX_RETRY_AFTER_SECONDS));
  return { kind: 'retry', error, note, dueAt: new Date(platform.clock().getTime() + seconds * 1000) };
}
