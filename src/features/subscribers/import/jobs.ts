/**
 * Applies staged files. A part is one transaction, which also notes that it is applied: whatever ends a run, the next one
 * goes on there, and no row is applied twice. A run does not last long: it hands over to another job, so that imports of
 * several tenants take turns.
 */
import Type, { type Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { defineJob, type Job } from '../../../jobs/jobs.ts';
import { MOST_FAULTS } from '../../../ledger/broken-attempts.ts';
import type { Platform } from '../../../platform.ts';
import { findRecord } from '../../../resources/records.ts';
import { type Caller, roleCovers, roleIn } from '../../../tenancy/caller.ts';
import { findCallerByMembership } from '../../../tenancy/find-member-caller.ts';
import { scopeOf, wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { DUPLICATE_EMAIL } from '../errors.ts';
import { applyRows } from './apply.ts';
import { deleteParts, lockImport, takePart, updateImport } from './queries.ts';
import { type ImportRow, imports } from './resource.ts';
import { MAX_ERRORS } from './schema.ts';

/** Which import, and which of its jobs this is. */
const Payload = Type.Object({ tenantId: Type.String(), importId: Type.String(), turn: Type.Integer() });
type Payload = Static<typeof Payload>;

/** How long a run goes on before it hands over, milliseconds. */
const RUN_MS = 10_000;
const TIMEOUT_SECONDS = 900;
/** How often a part is begun anew because somebody else has created one of its subscribers meanwhile. */
const MOST_RACES = 20;
/** Runs that break before the import has failed: fewer than the job itself would be tried. */
const MOST_BROKEN = MOST_FAULTS - 1;

/** Applies an import. */
export const applyImport: Job = defineJob({
  name: 'subscribers.apply-import',
  payload: Payload,
  timeoutSeconds: TIMEOUT_SECONDS,
  run: (platform, payload) => runImport(platform, payload),
});

/** Applies parts for `runMs`, one at least, then hands over. @throws whatever breaks a part, unless that is the end of the import. */
export async function runImport(platform: Platform, payload: Payload, runMs = RUN_MS): Promise<void> {
  const { tenantId, importId } = payload;
  const db = platform.scoped(wholeTenant(tenantId));
  const found = await findRecord(db, imports, importId);
  if (found === null) return;
  const run: Run = { platform, db, payload, asked: found };
  const end = performance.now() + runMs;
  try {
    for (let races = 0; ; ) {
      const step = await applyNext(run);
      if (step === 'ended') return;
      races = step === 'raced' ? races + 1 : 0;
      if (races > MOST_RACES) throw new Error('Others create the same subscribers all the time.');
      if (performance.now() > end || platform.drain.started) return await handOver(run);
    }
  } catch (error) {
    if (platform.drain.started || !(await noteBroken(run))) throw error;
  }
}

interface Run {
  readonly platform: Platform;
  /** Of the whole tenant. */
  readonly db: ScopedDb;
  readonly payload: Payload;
  /** The import as it is when the run begins. */
  readonly asked: ImportRow;
}

/** Applies the next part, as whoever asked for the import and with what they may do now. */
async function applyNext(run: Run): Promise<'applied' | 'raced' | 'ended'> {
  const { platform, payload } = run;
  const caller = await findWriter(run);
  if (caller === null) {
    await endUnapplied(
      run,
      'the import stopped before this row: whoever began it may not write here any more',
    );
    return 'ended';
  }
  const now = platform.clock();
  try {
    return await platform.scoped(scopeOf(caller)).transaction(async (tx) => {
      const current = await lockOwn(tx, payload);
      if (current === null) return 'ended';
      const { id, parts, applied } = current;
      const part = await takePart(tx, id, applied);
      const tally = await applyRows({ platform, caller, db: tx, now }, current, part ?? NO_ROWS);
      const isLast = applied + 1 >= parts;
      await updateImport(tx, id, {
        status: isLast ? 'completed' : 'running',
        applied: applied + 1,
        created: current.created + tally.created,
        updated: current.updated + tally.updated,
        failed: current.failed + tally.errors.length,
        ...withErrors(current, tally.errors),
      });
      return isLast ? 'ended' : 'applied';
    });
  } catch (error) {
    if (error instanceof AppError && error.definition === DUPLICATE_EMAIL) return 'raced';
    throw error;
  }
}

/** Whoever asked for the import as they are now; null when they are no editor of its unit any more. */
async function findWriter({ db, asked }: Run): Promise<Caller | null> {
  const caller = await findCallerByMembership(db, asked.caller.membershipId);
  const role = caller && roleIn(caller, asked.owner_bu_id);
  if (caller === null || role === null || !roleCovers(role, 'editor')) return null;
  return { ...caller, activeUnitId: asked.caller.activeUnitId };
}

/** Of a file without rows there is no part. */
const NO_ROWS = { columns: [], rows: [] };

/** Leaves the rest to the next job. */
async function handOver({ platform, db, payload }: Run): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await lockOwn(tx, payload)) === null) return;
    const next = { ...payload, turn: payload.turn + 1 };
    await updateImport(tx, payload.importId, { turn: next.turn });
    await platform.jobs.enqueue(tx, applyImport, next);
  });
}

/** The import, locked, while it is not at its end and this job is the one that applies it. */
async function lockOwn(tx: ScopedDb, { importId, turn }: Payload): Promise<ImportRow | null> {
  const current = await lockImport(tx, importId);
  const isOwn = current?.turn === turn && (current.status === 'queued' || current.status === 'running');
  return isOwn ? current : null;
}

/** Counts a run that broke, and says whether that is the end: the import has failed then, and its rows go. */
async function noteBroken(run: Run): Promise<boolean> {
  const { db, payload } = run;
  const isLast = await db.transaction(async (tx) => {
    const current = await lockOwn(tx, payload);
    if (current === null) return false;
    const faults = current.faults + 1;
    await updateImport(tx, current.id, { faults });
    return faults >= MOST_BROKEN;
  });
  if (isLast) await endUnapplied(run, 'the import stopped before this row by a fault of Tessera');
  return isLast;
}

/** Ends the import as failed at the first row that is not applied, with a message; what is left of its rows goes. */
async function endUnapplied({ platform, db, payload }: Run, message: string): Promise<void> {
  const hasEnded = await db.transaction(async (tx) => {
    const current = await lockOwn(tx, payload);
    if (current === null) return false;
    const line = (await takePart(tx, current.id, current.applied))?.rows[0]?.line ?? 1;
    await updateImport(tx, current.id, {
      status: 'failed',
      errors: [...current.errors.slice(0, MAX_ERRORS - 1), { line, message }],
    });
    return true;
  });
  if (hasEnded) await deleteParts(db, payload.importId, platform.config.jobBatchSize);
}

function withErrors({ errors }: ImportRow, more: ImportRow['errors']): Pick<Partial<ImportRow>, 'errors'> {
  const told = more.slice(0, MAX_ERRORS - errors.length);
  return told.length === 0 ? {} : { errors: [...errors, ...told] };
}
