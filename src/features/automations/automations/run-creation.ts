/** Adds runs to the work queue. The process that adds a run may also begin it. */

import { v7 as uuidv7 } from 'uuid';
import { parseWritten } from '../../../db/written-json.ts';
import { loopError, type StoredCause, storedCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import { AUTOMATION_INPUTS } from '../../../stored-bytes/kinds.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import type { Claim, NewClaim } from '../../../work-queue/claim.ts';
import type { WorkQueues } from '../../../work-queue/process-queues.ts';
import { recordFull } from './run-limits.ts';
import type { ClaimedRun, Trigger } from './run-queries.ts';
import type { TriggerType } from './schema.ts';

/** A request for more runs than this claims none of them: most would find no free worker in this process. */
const MAX_STARTED = 16;
/** How long after its creation a run's automation is assumed to be active, in ms. */
const KNOWN_ACTIVE_MS = 1000;
/** The work queue of runs. */
export const AUTOMATION_RUNS = { name: 'automation-runs', table: 'automation_runs' } as const;

/** A new run, without its trigger. */
export interface NewRun {
  /** The automation's id and version. The run keeps this version. */
  readonly automationId: string;
  readonly version: number;
  readonly triggerType: TriggerType;
  /** The changed record, for runs that must follow the order of its changes. */
  readonly recordId?: string;
  /** Identifies an event that may arrive twice but must create one run. */
  readonly sourceKey?: string;
}

/** A requested run. */
export interface RequestedRun {
  readonly id: string;
  readonly details: NewRun;
  /** The cause of the run. */
  readonly cause: StoredCause | null;
  /**
   * The initial claim. The run gets it only if no other run of its record is waiting. Null: the run waits in the queue.
   */
  readonly claim: NewClaim | null;
}

/** The result of `tessera_make_runs`. */
export interface CreatedRuns {
  readonly runs: readonly CreatedRun[];
  /** True if the tenant's waiting runs have reached the limit; null if they were not counted. */
  readonly is_full: boolean | null;
}

/** A run that `tessera_make_runs` added. */
interface CreatedRun {
  readonly id: string;
  /** True if the run has the requested claim. */
  readonly is_claimed: boolean;
  readonly input_bytes: number;
}

/** Prepares runs for insertion. Runs that must follow each other, or many runs, get no initial claim. */
export function prepareRuns(
  workQueues: WorkQueues,
  tenantId: string,
  runs: readonly NewRun[],
): RequestedRun[] {
  const cause = storedCause(tenantId);
  const isLoop = loopError(cause) !== null;
  const seen = new Set<string>();
  const isFew = runs.length <= MAX_STARTED;
  return runs.map((details) => {
    const { automationId, recordId = '' } = details;
    const order = `${automationId} ${recordId}`;
    const isFirst = recordId === '' || !seen.has(order);
    seen.add(order);
    const mayBegin = isFew && isFirst && !isLoop;
    const target = { tenantId, targetId: automationId };
    const claim = mayBegin ? workQueues.claimFor(AUTOMATION_RUNS, target) : null;
    return { id: uuidv7(), details, cause, claim };
  });
}

/**
 * Returns the JSON text that `tessera_make_runs` reads. `triggers` are the runs' triggers as JSON texts, which are
 * inserted unchanged. Without it, triggers are passed separately.
 */
export function toJsonRows(
  requested: readonly RequestedRun[],
  triggers: readonly string[] | null = null,
): string {
  const rows = requested.map(({ id, details, cause, claim }, index) => {
    const { automationId, version, triggerType, recordId = null, sourceKey = null } = details;
    const text = JSON.stringify({
      ...{ id, target_id: automationId, automation_version: version, trigger_type: triggerType },
      ...{ record_id: recordId, source_key: sourceKey },
      ...{ claim_id: claim?.claimId ?? null, lease_seconds: claim?.leaseSeconds ?? null },
      ...{ root_id: cause?.root ?? null, chain: cause?.chain ?? [], error: loopError(cause) },
    });
    return triggers === null ? text : `${text.slice(0, -1)},"trigger":${triggers[index]}}`;
  });
  return `[${rows.join(',')}]`;
}

/**
 * Returns two functions. `onCreated` takes the added runs and their triggers as JSON text. `begin`, called after the
 * commit, begins the runs that got their claims and wakes the queue for the others. Until then only runs with a
 * requested claim stay in memory.
 */
export function runStarter(platform: Platform, tenantId: string, requested: readonly RequestedRun[]) {
  const { workQueues } = platform;
  const targets = new Set(requested.map(({ details }) => details.automationId));
  let candidates = requested.flatMap((run, index) => (run.claim === null ? [] : [{ run, index }]));
  let startable: { readonly run: RequestedRun; readonly trigger: string }[] = [];
  let createdAt = 0;
  let inputBytes = 0;
  return {
    onCreated({ runs: created, is_full }: CreatedRuns, triggerOf: (index: number) => string): void {
      createdAt = performance.now();
      recordFull(workQueues, tenantId, is_full);
      for (const { input_bytes } of created) inputBytes += input_bytes;
      const claimedIds = new Set(created.flatMap(({ id, is_claimed }) => (is_claimed ? [id] : [])));
      startable = candidates.flatMap(({ run, index }) =>
        claimedIds.has(run.id) ? [{ run, trigger: triggerOf(index) }] : [],
      );
      candidates = [];
      if (startable.length === created.length) targets.clear();
    },
    begin(): void {
      storedBytes(platform).add(tenantId, AUTOMATION_INPUTS, inputBytes, platform.clock());
      // After a long transaction the automation is checked again.
      const isActive = performance.now() - createdAt < KNOWN_ACTIVE_MS;
      const claims = startable.flatMap(({ run, trigger }) => claimsOf(tenantId, run, trigger, isActive));
      workQueues.begin(AUTOMATION_RUNS, claims);
      for (const targetId of targets) workQueues.wake(AUTOMATION_RUNS, { tenantId, targetId });
    },
  };
}

function claimsOf(
  tenantId: string,
  { id, details: { automationId: targetId, version }, cause, claim }: RequestedRun,
  trigger: string,
  isActive: boolean,
): Claim<ClaimedRun>[] {
  if (claim === null) return [];
  const row = {
    ...{ automation_version: version, trigger: readTrigger(trigger), actions: [] },
    ...{ root_id: cause?.root ?? null, chain: cause?.chain ?? [] },
    ...{ started_at: null, failure: null, left_out: 0, isActive },
  };
  const { claimId, claimedAt } = claim;
  return [{ tenantId, id, targetId, attempts: 0, faults: 0, claimId, claimedAt, row }];
}

function readTrigger(text: string): Trigger {
  const value = parseWritten(text);
  if (!isTrigger(value)) throw new Error('The trigger of a run is not an object.');
  return value;
}

function isTrigger(value: unknown): value is Trigger {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
