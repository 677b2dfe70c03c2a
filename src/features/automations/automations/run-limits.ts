/**
 * Limits of runs (docs/specification/automations.md#chains): how many one event may cause, and how many of a tenant may
 * wait. The database checks both when it adds runs. Waiting runs are counted only once per `COUNT_EVERY` new ones,
 * because a count reads all of them.
 */
import { LRUCache } from 'lru-cache';
import type { StoredCause } from '../../../flows/chain.ts';
import type { WorkQueues } from '../../../work-queue/process-queues.ts';

/** Runs that one event may cause, not counting its first run. */
export const MAX_CAUSED = 1000;
/** Runs of a tenant that may wait or be in progress. */
export const MAX_WAITING = 100_000;
/** New runs of a tenant in a process between two counts. */
const COUNT_EVERY = 1000;
/** How long new runs of a tenant with too many waiting runs are refused without another count, in ms. */
const FULL_MS = 2000;
const TENANTS = 10_000;

const CAUSED_ERROR = `Stopped as a loop: one event caused ${MAX_CAUSED} runs. Further runs of this automation for the same event are neither started nor listed.`;
const WAITING_ERROR = `Not started: ${MAX_WAITING} runs of the tenant are already waiting. Replay this run later.`;

/** State of a tenant's waiting runs in this process. */
interface WaitingState {
  /** Number of new runs until the next count. */
  countIn: number;
  fullUntil: number;
}

const waitingByTenant = new WeakMap<WorkQueues, LRUCache<string, WaitingState>>();

function waitingOf(workQueues: WorkQueues, tenantId: string): WaitingState {
  const tenants = waitingByTenant.get(workQueues) ?? new LRUCache<string, WaitingState>({ max: TENANTS });
  waitingByTenant.set(workQueues, tenants);
  const waiting = tenants.get(tenantId) ?? { countIn: 0, fullUntil: 0 };
  tenants.set(tenantId, waiting);
  return waiting;
}

/**
 * Returns the limits that `tessera_make_runs` applies to this many new runs, as JSON text, or null if nothing needs
 * counting.
 */
export function runBounds(
  workQueues: WorkQueues,
  tenantId: string,
  { cause, runs }: { readonly cause: StoredCause | null; readonly runs: number },
): string | null {
  const waiting = waitingOf(workQueues, tenantId);
  const isFull = isKnownFull(workQueues, tenantId);
  waiting.countIn -= runs;
  const counts = !isFull && waiting.countIn < 0;
  const root = cause?.root ?? null;
  if (root === null && !counts && !isFull) return null;
  return JSON.stringify({
    ...{ root, most_caused: MAX_CAUSED, caused_error: CAUSED_ERROR },
    ...{ most_waiting: counts ? MAX_WAITING : null, is_full: isFull, waiting_error: WAITING_ERROR },
  });
}

/** Stores whether the tenant's waiting runs have reached the limit; null if they were not counted. */
export function recordFull(workQueues: WorkQueues, tenantId: string, isFull: boolean | null): void {
  if (isFull === null) return;
  const waiting = waitingOf(workQueues, tenantId);
  waiting.countIn = isFull ? 0 : COUNT_EVERY;
  waiting.fullUntil = isFull ? performance.now() + FULL_MS : 0;
}

/** True if the tenant's waiting runs had reached the limit a moment ago. */
export function isKnownFull(workQueues: WorkQueues, tenantId: string): boolean {
  return performance.now() < waitingOf(workQueues, tenantId).fullUntil;
}
