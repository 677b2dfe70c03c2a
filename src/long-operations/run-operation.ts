/**
 * Runs operations. Each part is one transaction, which also stores the progress: after a crash the next run continues
 * there, and no part is done twice. A run hands over to a new job after 10 s, so that operations of several tenants
 * take turns.
 */
import type { Platform } from '../platform.ts';
import type { Caller } from '../tenancy/caller.ts';
import { findCallerByMembership } from '../tenancy/find-member-caller.ts';
import { scopeOf, wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { MAX_FAULTS } from '../work-queue/broken-attempts.ts';
import { storeChanges } from './changes.ts';
import type { OperationTurn, PartContext, PartResult, StopCause } from './operation-kind.ts';
import {
  isUnfinished,
  MAX_PROBLEMS,
  type OperationCounts,
  type OperationProblem,
  type OperationRow,
} from './operations.ts';
import { findOperation, lockOperation, updateOperation, withProblems } from './queries.ts';

/** Time after which a run hands over, in ms. */
const RUN_MS = 10_000;
/** Maximum retries of a part that loses races. */
const MAX_RACES = 20;
/** Broken runs after which the operation fails; fewer than the attempts of a job. */
const MAX_BROKEN_RUNS = MAX_FAULTS - 1;

/** Errors of failed operations. */
const ERRORS = {
  no_role: 'The member who started it no longer has the role for it.',
  fault: 'An internal error stopped it.',
} as const;

/** The work of a kind of operation, with stored rows. */
export interface OperationWork {
  /** True if the member may still run the operation. */
  readonly mayRun: (caller: Caller, unitId: string | null) => boolean;
  readonly part: (row: OperationRow, ctx: PartContext) => Promise<PartResult<unknown>>;
  readonly isRace: (error: unknown) => boolean;
  readonly stopped: (
    row: OperationRow,
    tx: ScopedDb,
    cause: StopCause,
  ) => Promise<readonly OperationProblem[]>;
  readonly cleanUp: (operationId: string, db: ScopedDb, platform: Platform) => Promise<void>;
  readonly enqueue: (turn: OperationTurn, tx: ScopedDb, platform: Platform) => Promise<void>;
}

interface Run {
  readonly platform: Platform;
  readonly work: OperationWork;
  /** Reaches the whole tenant. */
  readonly db: ScopedDb;
  readonly turn: OperationTurn;
  /** The operation at the start of the run. */
  readonly started: OperationRow;
}

/** Does at least one part and hands over after `runMs`. @throws the error of a part, unless it ends the operation. */
export async function runOperation(
  platform: Platform,
  work: OperationWork,
  turn: OperationTurn,
  runMs = RUN_MS,
): Promise<void> {
  const db = platform.scoped(wholeTenant(turn.tenantId));
  const started = await findOperation(db, turn.operationId);
  if (started === null || started.turn !== turn.turn) return;
  // It was cancelled, or a process was killed before it cleaned up.
  if (!isUnfinished(started)) return work.cleanUp(turn.operationId, db, platform);
  const run: Run = { platform, work, db, turn, started };
  const end = performance.now() + runMs;
  try {
    for (let races = 0; ; ) {
      const step = await doNext(run);
      if (step === 'ended') return;
      races = step === 'raced' ? races + 1 : 0;
      if (races > MAX_RACES) throw new Error('Concurrent transactions keep changing the same records.');
      if (performance.now() > end || platform.drain.started) return await handOver(run);
    }
  } catch (error) {
    if (platform.drain.started || !(await countFault(run))) throw error;
  }
}

/** Ends an operation, whose row is locked, before its last part. */
export async function stopOperation(
  { clock }: Platform,
  work: OperationWork,
  tx: ScopedDb,
  row: OperationRow,
  cause: StopCause,
): Promise<void> {
  const added = await work.stopped(row, tx, cause);
  await updateOperation(tx, row.id, {
    ...(cause === 'cancelled' ? { status: 'cancelled' } : { status: 'failed', error: ERRORS[cause] }),
    // They say where it stopped, so they replace others if there are too many.
    ...(added.length === 0
      ? {}
      : { problems: [...row.problems.slice(0, MAX_PROBLEMS - added.length), ...added] }),
    finished_at: clock(),
  });
}

/** Does the next part with the present rights of the member who started the operation. */
async function doNext(run: Run): Promise<'done' | 'raced' | 'ended'> {
  const { platform, work, turn } = run;
  const caller = await findStarter(run);
  if (caller === null) {
    await fail(run, 'no_role');
    return 'ended';
  }
  const now = platform.clock();
  try {
    return await platform.scoped(scopeOf(caller)).transaction(async (tx) => {
      const current = await lockCurrent(tx, turn);
      if (current === null) return 'ended';
      const result = await work.part(current, { platform, caller, db: tx, now });
      await storeProgress(tx, current, result, now);
      return result.isLast ? 'ended' : 'done';
    });
  } catch (error) {
    if (work.isRace(error)) return 'raced';
    throw error;
  }
}

async function storeProgress(
  tx: ScopedDb,
  current: OperationRow,
  { state, isLast, done, counts = {}, problems = [], changes = [] }: PartResult<unknown>,
  now: Date,
): Promise<void> {
  await storeChanges(tx, current.id, changes);
  await updateOperation(tx, current.id, {
    ...(changes.length > 0 ? { has_changes: true } : {}),
    ...(isLast ? { status: 'completed', finished_at: now } : { status: 'running' }),
    state,
    done: current.done + done,
    counts: addCounts(current.counts, counts),
    ...withProblems(current, problems),
  });
}

function addCounts(counts: OperationCounts, more: OperationCounts): OperationCounts {
  const added = Object.entries(more).map(([name, count]) => [name, (counts[name] ?? 0) + count]);
  return { ...counts, ...Object.fromEntries(added) };
}

/** Returns the member who started the operation; null if they may no longer run it. */
async function findStarter({ db, work, started }: Run): Promise<Caller | null> {
  const caller = await findCallerByMembership(db, started.membership_id);
  if (caller === null || !work.mayRun(caller, started.unit_id)) return null;
  return { ...caller, activeUnitId: started.active_unit_id };
}

/** Enqueues a job for the remaining parts. */
async function handOver({ platform, work, db, turn }: Run): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await lockCurrent(tx, turn)) === null) return;
    const next = { ...turn, turn: turn.turn + 1 };
    await updateOperation(tx, turn.operationId, { turn: next.turn });
    await work.enqueue(next, tx, platform);
  });
}

/** Locks the operation. Returns null if it has ended or another job does its parts. */
async function lockCurrent(tx: ScopedDb, { operationId, turn }: OperationTurn): Promise<OperationRow | null> {
  const current = await lockOperation(tx, operationId);
  return current?.turn === turn && isUnfinished(current) ? current : null;
}

/** Counts a broken run. Returns true if the operation has failed. */
async function countFault(run: Run): Promise<boolean> {
  const { db, turn } = run;
  const isLast = await db.transaction(async (tx) => {
    const current = await lockCurrent(tx, turn);
    if (current === null) return false;
    const faults = current.faults + 1;
    await updateOperation(tx, current.id, { faults });
    return faults >= MAX_BROKEN_RUNS;
  });
  if (isLast) await fail(run, 'fault');
  return isLast;
}

async function fail({ platform, work, db, turn }: Run, cause: StopCause): Promise<void> {
  const hasEnded = await db.transaction(async (tx) => {
    const current = await lockCurrent(tx, turn);
    if (current === null) return false;
    await stopOperation(platform, work, tx, current, cause);
    return true;
  });
  if (hasEnded) await work.cleanUp(turn.operationId, db, platform);
}
