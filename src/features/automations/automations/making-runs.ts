/** Runs on their way into the work queue: who makes them may begin them, too. */
import { v7 as uuidv7 } from 'uuid';
import { parseWritten } from '../../../db/written-json.ts';
import { loopError, type StoredCause, storedCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import { AUTOMATION_INPUTS } from '../../../stored-bytes/kinds.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import type { Claim } from '../../../work-queue/work-queue.ts';
import type { WorkQueues } from '../../../work-queue/work-queues.ts';
import { noteFull } from './run-bounds.ts';
import type { ClaimedRun, Trigger } from './run-queries.ts';
import type { TriggerType } from './schema.ts';

/** Where more are asked for at once, all wait for their turn: room is not taken before the commit, and most would be given back. */
const MAX_BEGUN = 16;
/** How long after it was made a run is known to be of an automation that is active, milliseconds. */
const KNOWN_ACTIVE_MS = 1000;
/** The work queue of runs. */
export const AUTOMATION_RUNS = { name: 'automation-runs', table: 'automation_runs' } as const;

/** A run to be made, where what sets it off is told apart. */
export interface RunFacts {
  /** The automation's id, and its version, with which the run stays. */
  readonly automationId: string;
  readonly version: number;
  readonly triggerType: TriggerType;
  /** The record that has changed, where runs keep to the order of its changes. */
  readonly recordId?: string;
  /** What may come twice and is to set off one run. */
  readonly sourceKey?: string;
}

/** A run that is asked for. */
export interface AskedRun {
  readonly id: string;
  readonly facts: RunFacts;
  /** What led to it. */
  readonly cause: StoredCause | null;
  /** The end of the lease that it has from the beginning, should it wait for no other run of its record; null: it waits for its turn. */
  readonly leasedUntil: Date | null;
}

/** What `tessera_make_runs` has done. */
export interface RunsMade {
  readonly runs: readonly MadeRun[];
  /** True if as many runs of the tenant wait as may; null: they were not counted. */
  readonly is_full: boolean | null;
}

/** A run that it has made. */
export interface MadeRun {
  readonly id: string;
  /** Whether it has the lease that was asked for. */
  readonly is_leased: boolean;
  readonly input_bytes: number;
}

/** Asks for these runs: those that could only begin one after the other, or that are many, wait for their turn. */
export function askedRuns(workQueues: WorkQueues, tenantId: string, runs: readonly RunFacts[]): AskedRun[] {
  const cause = storedCause(tenantId);
  const isLoop = loopError(cause) !== null;
  const known = new Set<string>();
  const isFew = runs.length <= MAX_BEGUN;
  return runs.map((facts) => {
    const { automationId, recordId = '' } = facts;
    const line = `${automationId} ${recordId}`;
    const isFirst = recordId === '' || !known.has(line);
    known.add(line);
    const mayBegin = isFew && isFirst && !isLoop;
    const target = { tenantId, targetId: automationId };
    const leasedUntil = mayBegin ? workQueues.leaseFor(AUTOMATION_RUNS, target) : null;
    return { id: uuidv7(), facts, cause, leasedUntil };
  });
}

/**
 * What `tessera_make_runs` makes runs of: JSON text. `triggers`: what sets each of them off, as JSON texts, which stay as they are;
 * without, that is told apart.
 */
export function toJsonRows(asked: readonly AskedRun[], triggers: readonly string[] | null = null): string {
  const rows = asked.map(({ id, facts, cause, leasedUntil }, place) => {
    const { automationId, version, triggerType, recordId = null, sourceKey = null } = facts;
    const text = JSON.stringify({
      ...{ id, target_id: automationId, automation_version: version, trigger_type: triggerType },
      ...{ record_id: recordId, source_key: sourceKey, leased_until: leasedUntil },
      ...{ root_id: cause?.root ?? null, chain: cause?.chain ?? [], error: loopError(cause) },
    });
    return triggers === null ? text : `${text.slice(0, -1)},"trigger":${triggers[place]}}`;
  });
  return `[${rows.join(',')}]`;
}

/**
 * `told` is told the runs that were made, and what set each off as JSON text; `begin`, after the commit, begins those that were made
 * with their leases, and has the others looked for. Of all that was asked for only what leases were asked for is held until then.
 */
export function begunOnceMade(platform: Platform, tenantId: string, asked: readonly AskedRun[]) {
  const { workQueues } = platform;
  const targets = new Set(asked.map(({ facts }) => facts.automationId));
  let leased = asked.flatMap((run, place) => (run.leasedUntil === null ? [] : [{ run, place }]));
  let begun: { readonly run: AskedRun; readonly trigger: string }[] = [];
  let madeAt = 0;
  let inputBytes = 0;
  return {
    told({ runs: made, is_full }: RunsMade, triggerOf: (place: number) => string): void {
      madeAt = performance.now();
      noteFull(workQueues, tenantId, is_full);
      for (const { input_bytes } of made) inputBytes += input_bytes;
      const own = new Set(made.flatMap(({ id, is_leased }) => (is_leased ? [id] : [])));
      begun = leased.flatMap(({ run, place }) =>
        own.has(run.id) ? [{ run, trigger: triggerOf(place) }] : [],
      );
      leased = [];
      if (begun.length === made.length) targets.clear();
    },
    begin(): void {
      storedBytes(platform).add(tenantId, AUTOMATION_INPUTS, inputBytes, platform.clock());
      // The transaction may have taken long after it: the automation is looked at again then.
      const isActive = performance.now() - madeAt < KNOWN_ACTIVE_MS;
      const claims = begun.flatMap(({ run, trigger }) => claimsOf(tenantId, run, trigger, isActive));
      workQueues.begin(AUTOMATION_RUNS, claims);
      for (const targetId of targets) workQueues.wake(AUTOMATION_RUNS, { tenantId, targetId });
    },
  };
}

function claimsOf(
  tenantId: string,
  { id, facts: { automationId: targetId, version }, cause, leasedUntil: until }: AskedRun,
  trigger: string,
  isActive: boolean,
): Claim<ClaimedRun>[] {
  if (until === null) return [];
  const row = {
    ...{ automation_version: version, trigger: readTrigger(trigger), actions: [] },
    ...{ root_id: cause?.root ?? null, chain: cause?.chain ?? [] },
    ...{ started_at: null, failure: null, left_out: 0, isActive },
  };
  return [{ tenantId, id, targetId, attempts: 0, faults: 0, leasedUntil: until.toISOString(), row }];
}

function readTrigger(text: string): Trigger {
  const value = parseWritten(text);
  if (!isTrigger(value)) throw new Error('What sets off a run is no object.');
  return value;
}

function isTrigger(value: unknown): value is Trigger {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
