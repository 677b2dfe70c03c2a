/** The work queue of runs. It alternates between tenants, and between the automations of a tenant. */

import type { ReadRelated } from '../../../flows/related-records.ts';
import { reserveMemory } from '../../../memory/reserve-memory.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import { defineWorkQueue } from '../../../work-queue/define-work-queue.ts';
import type { Outcome, WorkQueue } from '../../../work-queue/work-queue.ts';
import { RETRY_WAITS_SECONDS } from './attempt-input.ts';
import { attemptRun } from './attempt-run.ts';
import type { ActionTypes } from './compile.ts';
import type { Plan } from './plan.ts';
import { cachedPlan, cachePlan } from './plan-cache.ts';
import { AUTOMATION_RUNS } from './run-creation.ts';
import {
  acknowledgeRuns,
  type ClaimedRun,
  findLargeColumns,
  LARGE_COLUMNS,
  loadAutomations,
  RUN_COLUMNS,
  type RunProgress,
  type VersionRequest,
} from './run-queries.ts';

/** Lower priority than mail and webhook deliveries. */
const LANE = 3;
/** Copies in memory: database text, parsed values, and results of expressions. */
const COPIES = 5;
/** Maximum time that an attempt waits for memory, in ms. */
const MEMORY_WAIT_MS = 3000;
const AUTOMATION_INACTIVE = 'The automation was deactivated or deleted before the run started.';
const VERSION_REMOVED = "The run's version of the automation no longer exists.";

/** A run with its automation. */
interface RunWork {
  readonly run: ClaimedRun;
  /** True if the run has not begun and its automation is no longer active. */
  readonly mustSkip: boolean;
  /** Null if the version is no longer stored. */
  readonly plan: Plan | Error | null;
}

/** Creates the work queue of runs for these action types. */
export function runQueue(types: ActionTypes, readRelated: ReadRelated): WorkQueue {
  return defineWorkQueue<RunWork, RunProgress, ClaimedRun>({
    ...AUTOMATION_RUNS,
    // Runs for one record follow the order of its changes.
    isOrdered: true,
    // Runs of one record wait for the poll after the previous run. A poll costs as much as five runs.
    minPollIntervalMs: 40,
    columns: RUN_COLUMNS,
    largeColumns: LARGE_COLUMNS,
    // An automation whose receiver never responds keeps 16 slots until its time limit. Others wait only if 32 such
    // automations of at least two tenants run. Database connections are limited separately.
    concurrency: 512,
    concurrencyPerTarget: 16,
    concurrencyPerTenant: 256,
    dueTimes: { longestWaitSeconds: () => Math.max(...RETRY_WAITS_SECONDS) },
    load: (platform, claims) => loadWork(platform, types, claims),
    attempt: (platform, claim, work) => attempt(platform, claim, work, readRelated),
    acknowledge: acknowledgeRuns,
  });
}

async function loadWork(
  platform: Platform,
  types: ActionTypes,
  claims: readonly Claim<ClaimedRun>[],
): Promise<ReadonlyMap<string, RunWork>> {
  const requests = new Map<string, VersionRequest>();
  for (const { tenantId, targetId: automationId, row } of claims) {
    const version = row.automation_version;
    const needsDefinition = cachedPlan(platform, automationId, version) === undefined;
    if (needsDefinition || maySkip(row))
      requests.set(`${automationId} ${version}`, { tenantId, automationId, version, needsDefinition });
  }
  const found = await loadAutomations(platform.database.everyTenant('work-queues'), [...requests.values()]);
  const loaded = new Map(found.map((each) => [`${each.automation_id} ${each.version}`, each]));
  return new Map(
    claims.map(({ id, targetId: automationId, row: run }) => {
      const version = run.automation_version;
      const automation = loaded.get(`${automationId} ${version}`);
      const mustSkip = maySkip(run) && automation?.is_active !== true;
      const cached = cachedPlan(platform, automationId, version);
      const definition = automation?.definition ?? null;
      const plan =
        cached ?? (definition && compileOrError(platform, types, { automationId, version }, definition));
      return [id, { run, mustSkip, plan }];
    }),
  );
}

/** A run that has begun continues even if its automation is deactivated. */
function maySkip({ started_at, isActive = false }: ClaimedRun): boolean {
  return started_at === null && !isActive;
}

/** A definition that cannot be compiled breaks only its own runs. */
function compileOrError(...args: Parameters<typeof cachePlan>): Plan | Error {
  try {
    return cachePlan(...args);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function attempt(
  platform: Platform,
  claim: Claim,
  { run, mustSkip, plan }: RunWork,
  readRelated: ReadRelated,
): Promise<Outcome<RunProgress>> {
  if (mustSkip)
    return { kind: 'success', result: { actions: null, startedAt: null, skipped: AUTOMATION_INACTIVE } };
  if (plan === null) return { kind: 'failed', error: VERSION_REMOVED };
  if (plan instanceof Error) throw plan;
  const { trigger, actions, chain, root_id: rootId, left_out, failure } = run;
  const input = { plan, readRelated, failure, chain, rootId, hasBegun: run.started_at !== null };
  if (trigger !== null && actions !== null)
    return attemptRun(platform, claim, { ...input, trigger, actions });
  const { tenantId } = claim;
  const request = { tenantId, lane: LANE, bytes: left_out * COPIES, maxWaitMs: MEMORY_WAIT_MS };
  const release = await reserveMemory(platform, 'outgoingWork', request);
  if (release === null) return { kind: 'returned' };
  try {
    const large = await findLargeColumns(platform.scoped(wholeTenant(tenantId)), claim.id);
    if (large === undefined) return { kind: 'drop' };
    return await attemptRun(platform, claim, { ...input, ...large });
  } finally {
    release();
  }
}
