/**
 * Work queues that deliver JSON to tenants' URLs: the attempt and the meaning of its result, the same for
 * every kind of webhook (docs/specification/webhooks.md#delivery).
 */

import { type RawBuilder, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { chainHeaders, linkedCause, type StoredCause } from '../flows/chain.ts';
import { reserveMemory } from '../memory/reserve-memory.ts';
import { LONGEST_RETRY_AFTER_SECONDS, retryAfterSeconds } from '../outbound/header-rules.ts';
import type { OutboundResult } from '../outbound/outbound-client.ts';
import type { Platform } from '../platform.ts';
import { openedOrNull, SECRET_KEY_CHANGED } from '../secrets/secret-box.ts';
import type { Claim } from './claim.ts';
import { defineWorkQueue } from './define-work-queue.ts';
import {
  type DeliveryAttempt,
  deleteAttemptsCall,
  recordAttemptsCall,
  toAttempt,
  unsentAttempt,
} from './delivery-attempts.ts';
import { type OutcomePlace, outcomeCalls } from './target-outcomes.ts';
import type { Ack, Outcome, QueueItem, WorkQueue, WorkQueueDefinition } from './work-queue.ts';
import { acknowledgeRows } from './work-queue-queries.ts';

const JITTER = 0.2;
const GONE = 410;
/** Largest body (bytes) that is loaded with its batch. A larger one is loaded alone, within the memory budget. */
const MAX_BATCHED_BYTES = 16 * 1024;
const NO_LIMIT = 2 ** 31 - 1;
/** Copies of a body in memory: database text, request text and bytes. */
const COPIES_IN_MEMORY = 4;
/** Longest wait for memory, in ms. */
const MEMORY_WAIT_MS = 3000;
/** Most characters of responses in one statement, because many may be large. */
const MAX_RESPONSE_CHARACTERS = 4 * 1024 * 1024;
/** Lower priority than mail. */
const LANE = 2;

/** A row of an HTTP work queue. */
export interface HttpQueueItem extends QueueItem {
  last_status_code: number | null;
}

/** One HTTP POST. */
export interface HttpDelivery {
  readonly url: string;
  /** Headers in addition to `Content-Type`, `Tessera-Delivery-Id`, `Tessera-Attempt` and `Tessera-Chain`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** Values that logs must not show: secrets, and signatures made with them. */
  readonly secrets: readonly string[];
}

/** Result of an attempt: the response status, null if there was no response; and the attempt for the log. */
export interface HttpResult extends Readonly<Pick<HttpQueueItem, 'last_status_code'>> {
  readonly attempt?: DeliveryAttempt;
}

const NO_RESPONSE: HttpResult = { last_status_code: null };

/** Definition of a work queue of HTTP deliveries. */
export interface HttpWorkQueueDefinition<Work> extends Pick<WorkQueueDefinition<Work>, 'name' | 'table'> {
  /**
   * SQL function that loads deliveries of any tenants in one statement. Arguments: tenants, ids, and the most bytes of
   * the large parts of each, which it omits if they are larger. A delivery without a row is dropped: it is no longer
   * needed.
   */
  readonly loadFunction: string;
  /** Returns the number of bytes omitted; null if none were. */
  readonly omittedBytes: (work: Work) => number | null;
  /** Builds the request; a SecretBoxError that it throws counts as no response. */
  readonly toDelivery: (platform: Platform, work: Work) => HttpDelivery;
  /** The place that records the outcomes of attempts by target. */
  readonly outcomes: OutcomePlace;
}

/** Columns loaded for every delivery. */
interface LoadedWork {
  readonly delivery_id: string;
  /** Cause of the delivery; null if it did not come from the platform. */
  readonly cause: StoredCause | null;
}

/** A work queue of HTTP deliveries. */
export interface HttpWorkQueue extends WorkQueue {
  /**
   * Returns the request that an attempt would send now; null if the delivery would be dropped, or a secret cannot be
   * decrypted. 'busy' if the body is large and there is no memory for it.
   */
  readonly readRequest: (
    platform: Platform,
    delivery: Pick<Claim, 'tenantId' | 'id'>,
  ) => Promise<HttpDelivery | 'busy' | null>;
}

/** Declares a work queue whose attempts post JSON. Its table has a column `last_status_code`. */
export function defineHttpWorkQueue<Work extends LoadedWork>(
  definition: HttpWorkQueueDefinition<Work>,
): HttpWorkQueue {
  const { name, table, toDelivery, outcomes, omittedBytes } = definition;
  const queue = defineWorkQueue<Work, HttpResult>({
    name,
    table,
    // A receiver that never answers occupies 16 slots for the time of an attempt. 32 such webhooks, of at least
    // two tenants, are needed to fill all slots.
    concurrency: 512,
    concurrencyPerTarget: 16,
    concurrencyPerTenant: 256,
    dueTimes: {
      longestWaitSeconds: ({ config }, attempts) =>
        Math.max(
          LONGEST_RETRY_AFTER_SECONDS,
          ...config.webhookBackoffSeconds.slice(0, attempts).map((wait) => wait * (1 + JITTER)),
        ),
    },
    load: async (platform, claims) => {
      const rows = await loadRows(platform, definition, claims, MAX_BATCHED_BYTES);
      return new Map(rows.map((row) => [row.delivery_id, row]));
    },
    attempt: async (platform, claim, work) => {
      const bytes = omittedBytes(work);
      return bytes === null
        ? attemptHttp(platform, claim, work.cause, () => toDelivery(platform, work))
        : attemptLarge(platform, definition, claim, bytes);
    },
    acknowledge: async (all, acks) => {
      for (const some of bySize(acks)) {
        const calls = [...outcomeCalls(all, outcomes, some), ...attemptCalls(all, table, some)];
        await acknowledgeRows(all, table, some.map(withoutAttempt), NO_RESPONSE, calls);
      }
    },
  });
  return {
    ...queue,
    readRequest: async (platform, delivery) => {
      const [work] = await loadRows(platform, definition, [delivery], MAX_BATCHED_BYTES);
      if (work === undefined) return null;
      const bytes = omittedBytes(work);
      if (bytes === null) return openedOrNull(() => toDelivery(platform, work));
      const read = await withLargeWork(platform, definition, delivery, bytes, async (large) =>
        openedOrNull(() => toDelivery(platform, large)),
      );
      return read === 'no memory' ? 'busy' : read;
    },
  };
}

async function loadRows<Work>(
  { database }: Platform,
  { loadFunction }: HttpWorkQueueDefinition<Work>,
  claims: readonly Pick<Claim, 'tenantId' | 'id'>[],
  maxBytes: number,
): Promise<Work[]> {
  const loaded = await database.everyTenant('work-queues').byTenant(
    claims,
    ({ tenantId }) => tenantId,
    async (db, own) => {
      const tenantIds = own.map(({ tenantId }) => tenantId);
      const ids = own.map(({ id }) => id);
      const { rows } = await db.raw(
        sql<Work>`select * from ${sql.raw(loadFunction)}(${db.tenantId}, ${tenantIds}, ${ids}, ${maxBytes})`,
      );
      return rows;
    },
  );
  return loaded.flat();
}

/** Loads an omitted body when memory is available, and posts it. */
async function attemptLarge<Work extends LoadedWork>(
  platform: Platform,
  definition: HttpWorkQueueDefinition<Work>,
  claim: Claim,
  bytes: number,
): Promise<Outcome<HttpResult>> {
  const outcome = await withLargeWork(platform, definition, claim, bytes, (work) =>
    attemptHttp(platform, claim, work.cause, () => definition.toDelivery(platform, work)),
  );
  return outcome === 'no memory' ? { kind: 'returned' } : (outcome ?? { kind: 'drop' });
}

/** Loads an omitted body within the memory budget, and uses it. Returns null if the delivery is no longer needed. */
async function withLargeWork<Work, T>(
  platform: Platform,
  definition: HttpWorkQueueDefinition<Work>,
  delivery: Pick<Claim, 'tenantId' | 'id'>,
  bytes: number,
  use: (work: Work) => Promise<T>,
): Promise<T | 'no memory' | null> {
  const { tenantId } = delivery;
  const request = { tenantId, lane: LANE, bytes: bytes * COPIES_IN_MEMORY, maxWaitMs: MEMORY_WAIT_MS };
  const release = await reserveMemory(platform, 'outgoingWork', request);
  if (release === null) return 'no memory';
  try {
    const [work] = await loadRows(platform, definition, [delivery], NO_LIMIT);
    return work === undefined ? null : await use(work);
  } finally {
    release();
  }
}

/** Splits acknowledgements into groups whose responses fit into one statement. */
function bySize(acks: readonly Ack<HttpResult>[]): Ack<HttpResult>[][] {
  const groups: Ack<HttpResult>[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const ack of acks) {
    const length = attemptOf(ack)?.response_body?.length ?? 0;
    size += length;
    if (size > MAX_RESPONSE_CHARACTERS) {
      groups.push([]);
      size = length;
    }
    groups.at(-1)?.push(ack);
  }
  return groups;
}

function attemptOf({ outcome }: Ack<HttpResult>): DeliveryAttempt | undefined {
  return 'result' in outcome ? outcome.result?.attempt : undefined;
}

/** Returns an acknowledgement whose result has only columns of the work queue. */
function withoutAttempt(ack: Ack<HttpResult>): Ack<HttpResult> {
  const { outcome } = ack;
  if (!('result' in outcome) || outcome.result === undefined) return ack;
  const { last_status_code } = outcome.result;
  return { ...ack, outcome: { ...outcome, result: { last_status_code } } };
}

/** Builds the SQL calls that write the log of attempts. */
function attemptCalls(
  all: EveryTenantDb,
  table: string,
  acks: readonly Ack<HttpResult>[],
): RawBuilder<unknown>[] {
  const made = acks.flatMap((ack) => {
    const attempt = attemptOf(ack);
    return attempt === undefined ? [] : [{ claim: ack.claim, attempt }];
  });
  const dropped = acks.flatMap(({ claim, outcome }) => (outcome.kind === 'drop' ? [claim] : []));
  return [
    ...(made.length === 0 ? [] : [recordAttemptsCall(all, table, made)]),
    ...(dropped.length === 0 ? [] : [deleteAttemptsCall(all, dropped)]),
  ];
}

/**
 * Posts once. Any 2xx is success; 410 ends the delivery; anything else, or no response in time, is retried after the
 * wait for this attempt, or later when the receiver asks for it.
 */
async function attemptHttp(
  platform: Platform,
  claim: Claim,
  cause: StoredCause | null,
  toDelivery: () => HttpDelivery,
): Promise<Outcome<HttpResult>> {
  const startedAt = platform.clock();
  const delivery = openedOrNull(toDelivery);
  if (delivery === null) {
    const attempt = unsentAttempt(startedAt, SECRET_KEY_CHANGED);
    return failed(platform, claim, SECRET_KEY_CHANGED, { ...NO_RESPONSE, attempt });
  }
  const { url, headers, body, secrets } = delivery;
  const link = { id: claim.id, link: `webhook ${claim.targetId}` };
  const response = await platform.outbound.send({
    url,
    method: 'POST',
    headers: {
      ...headers,
      ...chainHeaders(platform, linkedCause(claim.tenantId, cause, link)),
      'Content-Type': 'application/json',
      'Tessera-Delivery-Id': claim.id,
      'Tessera-Attempt': String(callsOf(claim) + 1),
    },
    body,
    timeoutMs: platform.config.webhookTimeoutSeconds * 1000,
  });
  const error = errorOf(response);
  const attempt = toAttempt(startedAt, response, error, secrets);
  return toOutcome(platform, claim, response, error, attempt);
}

/** Returns why an attempt was no success; null for a 2xx. */
function errorOf(response: OutboundResult): string | null {
  if (!response.ok) return response.error;
  const { status } = response;
  return status >= 200 && status < 300 ? null : `The receiver answered with status ${status}.`;
}

function toOutcome(
  platform: Platform,
  claim: Claim,
  response: OutboundResult,
  error: string | null,
  attempt: DeliveryAttempt,
): Outcome<HttpResult> {
  const result = { last_status_code: attempt.status_code, attempt };
  if (error === null) return { kind: 'success', result };
  if (!response.ok) return failed(platform, claim, error, result);
  if (response.status === GONE) return { kind: 'failed', error, result };
  return failed(platform, claim, error, result, retryAfterSeconds(response.headers, platform.clock()));
}

/** Number of earlier requests to the receiver. Attempts that broke do not count. */
function callsOf({ attempts, faults }: Claim): number {
  return attempts - faults;
}

/** Returns a retry after the configured wait, or a failure when no wait is left. */
function failed(
  { config, clock }: Platform,
  claim: Claim,
  error: string,
  result: HttpResult,
  requestedSeconds: number | null = null,
): Outcome<HttpResult> {
  const backoff = config.webhookBackoffSeconds[callsOf(claim)];
  if (backoff === undefined) return { kind: 'failed', error, result };
  const jittered = backoff * (1 + JITTER * (2 * Math.random() - 1));
  const seconds = Math.max(jittered, Math.min(requestedSeconds ?? 0, LONGEST_RETRY_AFTER_SECONDS));
  return { kind: 'retry', error, result, dueAt: new Date(clock().getTime() + seconds * 1000) };
}
