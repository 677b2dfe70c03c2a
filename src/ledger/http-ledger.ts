/**
 * Ledgers that deliver JSON to URLs that a tenant gave: an attempt, and what its result means. The same rules for every
 * kind of webhook (docs/specification/webhooks.md#delivery).
 */
import { type RawBuilder, sql } from 'kysely';
import { chainHeaders, linkedCause, type StoredCause } from '../flows/chain.ts';
import { LONGEST_RETRY_AFTER_SECONDS, retryAfterSeconds } from '../outbound/header-rules.ts';
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
import { settleRows } from './ledger-queries.ts';
import { takeMemory } from './memory-budget.ts';

const JITTER = 0.2;
const GONE = 410;
/** Beyond the attempt itself: time to load the batch before it and to settle it after. */
const LEASE_MARGIN_SECONDS = 10;
/** What is posted is read with that of others up to this size, octets; what is larger alone, when there is memory for it. */
const LARGEST_TOGETHER = 16 * 1024;
const NO_BOUND = 2 ** 31 - 1;
/** As text of the database, as the text that is posted, and as its bytes. */
const COPIES = 4;
/** How long an attempt waits for memory, milliseconds: less than the margin of its lease. */
const MEMORY_WAIT_MS = 3000;
/** Behind mail, which people wait for. */
const LANE = 2;

/** A row of such a ledger. */
export interface HttpLedgerRow extends LedgerRow {
  last_status_code: number | null;
}

/** What is posted where. */
export interface HttpDelivery {
  readonly url: string;
  /** Beside `Content-Type`, `Tessera-Delivery-Id`, `Tessera-Attempt` and `Tessera-Chain`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** What an attempt found out: the status of the answer; null when there was none. */
export type HttpNote = Readonly<Pick<HttpLedgerRow, 'last_status_code'>>;

const NO_ANSWER: HttpNote = { last_status_code: null };

/** A ledger of HTTP deliveries, and what is its own. */
export interface HttpLedgerDefinition<Work> extends Pick<LedgerDefinition<Work>, 'name' | 'table'> {
  /**
   * The SQL function that reads what deliveries need, of any tenants in one statement: tenants, ids, and the most octets of
   * what may be large in each, which it leaves out when it is larger. A delivery that it leaves out as a whole is dropped:
   * nobody wants it any more.
   */
  readonly loadFunction: string;
  /** How many octets were left out; null when nothing was. */
  readonly leftOut: (work: Work) => number | null;
  /** What to post; a SecretBoxError that it throws counts as no answer. */
  readonly toDelivery: (platform: Platform, work: Work) => HttpDelivery;
  /**
   * What notes the last attempts on their targets: a table with `last_successful` and `last_failure`, or an SQL function of
   * its own: tenants, targets, moments, statuses.
   */
  readonly notes: { readonly table: string } | { readonly function: string };
}

/** What is loaded of every delivery. */
interface LoadedWork {
  readonly delivery_id: string;
  /** What led to it; null: nothing of the platform. */
  readonly cause: StoredCause | null;
}

/** Declares a ledger whose attempts post JSON. Its table has a column `last_status_code`. */
export function defineHttpLedger<Work extends LoadedWork>(definition: HttpLedgerDefinition<Work>): Ledger {
  const { name, table, toDelivery, notes, leftOut } = definition;
  return defineLedger<Work, HttpNote>({
    ...{ name, table },
    // A receiver that never answers holds 16 places for the time of an attempt: it takes 32 such webhooks, of at
    // least two tenants, until others wait for them.
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
    leaseSeconds: ({ config }) => config.webhookTimeoutSeconds + LEASE_MARGIN_SECONDS,
    load: async (platform, claims) => {
      const rows = await loadRows(platform, definition, claims, LARGEST_TOGETHER);
      return new Map(rows.map((row) => [row.delivery_id, row]));
    },
    attempt: async (platform, claim, work) => {
      const bytes = leftOut(work);
      return bytes === null
        ? attemptHttp(platform, claim, work.cause, () => toDelivery(platform, work))
        : attemptLarge(platform, definition, claim, bytes);
    },
    settle: (all, settlements) =>
      settleRows(all, table, settlements, NO_ANSWER, noteCall(notes, settlements)),
  });
}

async function loadRows<Work>(
  { database }: Platform,
  { loadFunction }: HttpLedgerDefinition<Work>,
  claims: readonly Claim[],
  mostOctets: number,
): Promise<Work[]> {
  const loaded = await database.everyTenant('ledgers').byTenant(
    claims,
    ({ tenantId }) => tenantId,
    async (db, own) => {
      const tenantIds = own.map(({ tenantId }) => tenantId);
      const ids = own.map(({ id }) => id);
      const { rows } = await db.raw(
        sql<Work>`select * from ${sql.raw(loadFunction)}(${db.tenantId}, ${tenantIds}, ${ids}, ${mostOctets})`,
      );
      return rows;
    },
  );
  return loaded.flat();
}

/** Reads what was left out when there is memory for it, and posts it. */
async function attemptLarge<Work extends LoadedWork>(
  platform: Platform,
  definition: HttpLedgerDefinition<Work>,
  claim: Claim,
  bytes: number,
): Promise<Outcome<HttpNote>> {
  const { tenantId } = claim;
  const request = { tenantId, lane: LANE, bytes: bytes * COPIES, maxWaitMs: MEMORY_WAIT_MS };
  const leave = await takeMemory(platform, request);
  if (leave === null) return { kind: 'returned' };
  try {
    const [work] = await loadRows(platform, definition, [claim], NO_BOUND);
    if (work === undefined) return { kind: 'drop' };
    return await attemptHttp(platform, claim, work.cause, () => definition.toDelivery(platform, work));
  } finally {
    leave();
  }
}

/** The last success and the last failure of each target. */
function noteCall(
  notes: HttpLedgerDefinition<never>['notes'],
  settlements: readonly Settlement<HttpNote>[],
): RawBuilder<unknown> {
  const latest = new Map<string, { claim: Claim; at: Date; status: string }>();
  for (const { claim, outcome, at } of settlements) {
    if (outcome.kind === 'drop') continue;
    const status = outcome.kind === 'success' ? 'success' : 'failed';
    const key = `${claim.tenantId} ${claim.targetId} ${status}`;
    if ((latest.get(key)?.at ?? at) <= at) latest.set(key, { claim, at, status });
  }
  const noted = [...latest.values()];
  const call =
    'table' in notes
      ? sql`tessera_note_outcomes(${notes.table}::regclass, `
      : sql`${sql.raw(notes.function)}(`;
  return sql`${call}${noted.map(({ claim }) => claim.tenantId)}, ${noted.map(({ claim }) => claim.targetId)},
    ${noted.map(({ at }) => at)}, ${noted.map(({ status }) => status)})`;
}

/**
 * Posts once. Any 2xx is success; 410 ends the delivery; anything else, or no answer in time, is retried after the wait
 * for this attempt, or later when the receiver asks for it.
 */
async function attemptHttp(
  platform: Platform,
  claim: Claim,
  cause: StoredCause | null,
  toDelivery: () => HttpDelivery,
): Promise<Outcome<HttpNote>> {
  const delivery = openedOrNull(toDelivery);
  if (delivery === null) return failed(platform, claim, SECRET_KEY_CHANGED);
  const { url, headers, body } = delivery;
  const link = { id: claim.id, link: `webhook ${claim.targetId}` };
  const result = await platform.outbound.send({
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
  return toOutcome(platform, claim, result);
}

function toOutcome(platform: Platform, claim: Claim, result: OutboundResult): Outcome<HttpNote> {
  if (!result.ok) return failed(platform, claim, result.error);
  const { status, headers } = result;
  const note = { last_status_code: status };
  if (status >= 200 && status < 300) return { kind: 'success', note };
  const error = `The receiver answered with status ${status}.`;
  if (status === GONE) return { kind: 'failed', error, note };
  return failed(platform, claim, error, note, retryAfterSeconds(headers, platform.clock()));
}

/** How often the receiver was asked before. Attempts that broke are none of the five. */
function callsOf({ attempts, faults }: Claim): number {
  return attempts - faults;
}

/** Another attempt after the wait for it, or the end when there is no wait left. */
function failed(
  { config, clock }: Platform,
  claim: Claim,
  error: string,
  note = NO_ANSWER,
  askedSeconds: number | null = null,
): Outcome<HttpNote> {
  const backoff = config.webhookBackoffSeconds[callsOf(claim)];
  if (backoff === undefined) return { kind: 'failed', error, note };
  const jittered = backoff * (1 + JITTER * (2 * Math.random() - 1));
  const seconds = Math.max(jittered, Math.min(askedSeconds ?? 0, LONGEST_RETRY_AFTER_SECONDS));
  return { kind: 'retry', error, note, dueAt: new Date(clock().getTime() + seconds * 1000) };
}
