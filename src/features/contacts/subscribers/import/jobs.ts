/**
 * Applies staged files. Each part is one transaction, which also stores the progress: after a crash the next run
 * continues there, and no row is applied twice. A run hands over to a new job after 10 s, so that imports of several
 * tenants take turns.
 */
import Type, { type Static } from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { defineJob, type Job } from '../../../../jobs/jobs.ts';
import type { Platform } from '../../../../platform.ts';
import { findRecord } from '../../../../resources/records.ts';
import { type Caller, roleCovers, roleIn } from '../../../../tenancy/caller.ts';
import { findCallerByMembership } from '../../../../tenancy/find-member-caller.ts';
import { scopeOf, wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { MAX_FAULTS } from '../../../../work-queue/broken-attempts.ts';
import { DUPLICATE_EMAIL } from '../errors.ts';
import { applyRows } from './apply.ts';
import { consumePart, deleteParts, lockImport, updateImport } from './queries.ts';
import { type ImportRow, imports } from './resource.ts';
import { MAX_ERRORS } from './schema.ts';

/** The import; `turn` is the number of the job within it. */
const Payload = Type.Object({ tenantId: Type.String(), importId: Type.String(), turn: Type.Integer() });
type Payload = Static<typeof Payload>;

/** Time after which a run hands over, in ms. */
const RUN_MS = 10_000;
const TIMEOUT_SECONDS = 900;
/** Maximum retries of a part for which another transaction has just created a subscriber. */
const MAX_RACES = 20;
/** Broken runs after which the import fails; fewer than the attempts of the job. */
const MAX_BROKEN_RUNS = MAX_FAULTS - 1;

/** Applies an import. */
export const applyImport: Job = defineJob({
  name: 'subscribers.apply-import',
  payload: Payload,
  timeoutSeconds: TIMEOUT_SECONDS,
  run: (platform, payload) => runImport(platform, payload),
});

/** Applies at least one part and hands over after `runMs`. @throws the error of a part, unless it ends the import. */
export async function runImport(platform: Platform, payload: Payload, runMs = RUN_MS): Promise<void> {
  const { tenantId, importId } = payload;
  const db = platform.scoped(wholeTenant(tenantId));
  const found = await findRecord(db, imports, importId);
  if (found === null) return;
  const run: Run = { platform, db, payload, started: found };
  const end = performance.now() + runMs;
  try {
    for (let races = 0; ; ) {
      const step = await applyNext(run);
      if (step === 'ended') return;
      races = step === 'raced' ? races + 1 : 0;
      if (races > MAX_RACES) throw new Error('Other transactions keep creating the same subscribers.');
      if (performance.now() > end || platform.drain.started) return await handOver(run);
    }
  } catch (error) {
    if (platform.drain.started || !(await countFault(run))) throw error;
  }
}

interface Run {
  readonly platform: Platform;
  /** Reaches the whole tenant. */
  readonly db: ScopedDb;
  readonly payload: Payload;
  /** The import at the start of the run. */
  readonly started: ImportRow;
}

/** Applies the next part with the current permissions of the user who started the import. */
async function applyNext(run: Run): Promise<'applied' | 'raced' | 'ended'> {
  const { platform, payload } = run;
  const caller = await findImporter(run);
  if (caller === null) {
    await failImport(
      run,
      'the import stopped before this row: the user who started it is no longer an editor',
    );
    return 'ended';
  }
  const now = platform.clock();
  try {
    return await platform.scoped(scopeOf(caller)).transaction(async (tx) => {
      const current = await lockCurrent(tx, payload);
      if (current === null) return 'ended';
      const { id, parts, applied } = current;
      const part = await consumePart(tx, id, applied);
      const results = await applyRows({ platform, caller, db: tx, now }, current, part ?? NO_ROWS);
      const isLast = applied + 1 >= parts;
      await updateImport(tx, id, {
        status: isLast ? 'completed' : 'running',
        applied: applied + 1,
        created: current.created + results.created,
        updated: current.updated + results.updated,
        failed: current.failed + results.errors.length,
        ...withErrors(current, results.errors),
      });
      return isLast ? 'ended' : 'applied';
    });
  } catch (error) {
    if (error instanceof AppError && error.definition === DUPLICATE_EMAIL) return 'raced';
    throw error;
  }
}

/** Returns the user who started the import; null if they are no longer an editor of its unit. */
async function findImporter({ db, started }: Run): Promise<Caller | null> {
  const caller = await findCallerByMembership(db, started.caller.membershipId);
  const role = caller && roleIn(caller, started.owner_bu_id);
  if (caller === null || role === null || !roleCovers(role, 'editor')) return null;
  return { ...caller, activeUnitId: started.caller.activeUnitId };
}

/** Part of a file without rows. */
const NO_ROWS = { columns: [], rows: [] };

/** Enqueues a job for the remaining parts. */
async function handOver({ platform, db, payload }: Run): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await lockCurrent(tx, payload)) === null) return;
    const next = { ...payload, turn: payload.turn + 1 };
    await updateImport(tx, payload.importId, { turn: next.turn });
    await platform.jobs.enqueue(tx, applyImport, next);
  });
}

/** Locks the import. Returns null if it has ended or another job applies it. */
async function lockCurrent(tx: ScopedDb, { importId, turn }: Payload): Promise<ImportRow | null> {
  const current = await lockImport(tx, importId);
  const isCurrent = current?.turn === turn && (current.status === 'queued' || current.status === 'running');
  return isCurrent ? current : null;
}

/** Counts a broken run. Returns true if the import has failed, after deleting its rows. */
async function countFault(run: Run): Promise<boolean> {
  const { db, payload } = run;
  const isLast = await db.transaction(async (tx) => {
    const current = await lockCurrent(tx, payload);
    if (current === null) return false;
    const faults = current.faults + 1;
    await updateImport(tx, current.id, { faults });
    return faults >= MAX_BROKEN_RUNS;
  });
  if (isLast) await failImport(run, 'the import stopped before this row because of an internal error');
  return isLast;
}

/** Fails the import with a message at its first unapplied row, and deletes the remaining rows. */
async function failImport({ platform, db, payload }: Run, message: string): Promise<void> {
  const hasEnded = await db.transaction(async (tx) => {
    const current = await lockCurrent(tx, payload);
    if (current === null) return false;
    const line = (await consumePart(tx, current.id, current.applied))?.rows[0]?.line ?? 1;
    await updateImport(tx, current.id, {
      status: 'failed',
      errors: [...current.errors.slice(0, MAX_ERRORS - 1), { line, message }],
    });
    return true;
  });
  if (hasEnded) await deleteParts(db, payload.importId, platform.config.jobBatchSize);
}

function withErrors({ errors }: ImportRow, more: ImportRow['errors']): Pick<Partial<ImportRow>, 'errors'> {
  const added = more.slice(0, MAX_ERRORS - errors.length);
  return added.length === 0 ? {} : { errors: [...errors, ...added] };
}
