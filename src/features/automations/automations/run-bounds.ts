/**
 * Bounds of runs (docs/specification/automations.md#chains): how many one event may cause, and how many of a tenant may wait. The
 * database counts both where it makes runs. Those that wait are counted once for so many new ones: a count reads all of them.
 */
import { LRUCache } from 'lru-cache';
import type { StoredCause } from '../../../flows/chain.ts';
import type { WorkQueues } from '../../../work-queue/work-queues.ts';

/** Runs that one event may cause, its first run aside. */
export const MAX_CAUSED = 1000;
/** Runs of a tenant that may wait or be under way. */
export const MAX_WAITING = 100_000;
/** Runs of a tenant that a process makes between two counts. */
const COUNT_EVERY = 1000;
/** How long a tenant that has too many waiting runs is refused more without another count, in ms. */
const FULL_MS = 2000;
const TENANTS = 10_000;

const CAUSED_ERROR = `Stopped as a loop: one event has caused ${MAX_CAUSED} runs. Further runs of this automation that follow from it are neither started nor listed.`;
const WAITING_ERROR = `Not started: ${MAX_WAITING} runs of the tenant wait already. Replay this run later.`;

/** What a process knows of the waiting runs of a tenant. */
interface Waiting {
  /** Runs until the next count. */
  countIn: number;
  fullUntil: number;
}

const known = new WeakMap<WorkQueues, LRUCache<string, Waiting>>();

function waitingOf(workQueues: WorkQueues, tenantId: string): Waiting {
  const tenants = known.get(workQueues) ?? new LRUCache<string, Waiting>({ max: TENANTS });
  known.set(workQueues, tenants);
  const waiting = tenants.get(tenantId) ?? { countIn: 0, fullUntil: 0 };
  tenants.set(tenantId, waiting);
  return waiting;
}

/** Returns what `tessera_make_runs` holds this many new runs to: JSON text; null: there is nothing to count. */
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

/** Notes whether the waiting runs of a tenant are as many as may be; null: they were not counted. */
export function noteFull(workQueues: WorkQueues, tenantId: string, isFull: boolean | null): void {
  if (isFull === null) return;
  const waiting = waitingOf(workQueues, tenantId);
  waiting.countIn = isFull ? 0 : COUNT_EVERY;
  waiting.fullUntil = isFull ? performance.now() + FULL_MS : 0;
}

/** True if as many runs of a tenant waited as may, a moment ago. */
export function isKnownFull(workQueues: WorkQueues, tenantId: string): boolean {
  return performance.now() < waitingOf(workQueues, tenantId).fullUntil;
}
