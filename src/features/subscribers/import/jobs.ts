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
import type { Caller } from '../../../tenancy/caller.ts';
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
  const found = await findRecord(platform.scoped(wholeTenant(tenantId)), imports, importId);
  if (found === null) return;
  const { caller } = found;
  const run: Run = { platform, caller, db: platform.scoped(scopeOf(caller)), payload };
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
  readonly caller: Caller;
  /** What the caller could reach when the file came. */
  readonly db: ScopedDb;
  readonly payload: Payload;
}

/** Applies the next part. */
async function applyNext({ platform, caller, db, payload }: Run): Promise<'applied' | 'raced' | 'ended'> {
  const now = platform.clock();
  try {
    return await db.transaction(async (tx) => {
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
async function noteBroken({ platform, db, payload }: Run): Promise<boolean> {
  const hasFailed = await db.transaction(async (tx) => {
    const current = await lockOwn(tx, payload);
    if (current === null) return false;
    const faults = current.faults + 1;
    if (faults < MOST_BROKEN) {
      await updateImport(tx, current.id, { faults });
      return false;
    }
    const line = (await takePart(tx, current.id, current.applied))?.rows[0]?.line ?? 1;
    const message = 'the import stopped before this row by a fault of Tessera';
    await updateImport(tx, current.id, {
      faults,
      status: 'failed',
      errors: [...current.errors.slice(0, MAX_ERRORS - 1), { line, message }],
    });
    return true;
  });
  if (hasFailed) await deleteParts(db, payload.importId, platform.config.jobBatchSize);
  return hasFailed;
}

function withErrors({ errors }: ImportRow, more: ImportRow['errors']): Pick<Partial<ImportRow>, 'errors'> {
  const told = more.slice(0, MAX_ERRORS - errors.length);
  return told.length === 0 ? {} : { errors: [...errors, ...told] };
}
