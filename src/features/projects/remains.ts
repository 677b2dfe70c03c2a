/**
 * What is left of a project that is gone: any number of records, which go by portions, each in a transaction of its own. Whoever
 * works on that holds its one row, so that nothing is deleted under an id that a new project has.
 */
import Type from 'typebox';
import { defineJob, type Job } from '../../jobs/jobs.ts';
import type { Platform } from '../../platform.ts';
import { type Contents, deleteContents, type Note } from '../../resources/contents.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { addRemains, forgetRemains, lockRemains } from './queries.ts';
import { forgetSyncedModels } from './synced-models.ts';

/** Records that one transaction deletes: so many that a small project goes whole with its request. */
const PORTION = 500;
/** Large records are fewer: when a transaction has taken so long it begins nothing more. */
const TRANSACTION_MS = 500;
/** How long a run of the job goes on before it hands over, so that projects of several tenants take turns. */
const RUN_MS = 10_000;
const TIMEOUT_SECONDS = 900;

const Payload = Type.Object({ tenantId: Type.String(), projectId: Type.String() });

/** Deletes what projects that are gone held. */
export function remainsJob(contents: readonly Contents[]): Job {
  const job: Job = defineJob({
    name: 'projects.delete-remains',
    payload: Payload,
    timeoutSeconds: TIMEOUT_SECONDS,
    run: async (platform, { tenantId, projectId }) => {
      const db = platform.scoped(wholeTenant(tenantId));
      if (await finishRemains(db, contents, projectId, RUN_MS, platform.drain.signal)) return;
      await db.transaction((tx) => platform.jobs.enqueue(tx, job, { tenantId, projectId }));
    },
  });
  return job;
}

/**
 * Deletes a first portion of what a project held that the open transaction deletes; the rest is the job's.
 */
export async function leaveRemains(
  { jobs }: Platform,
  tx: ScopedDb,
  contents: readonly Contents[],
  job: Job,
  projectId: string,
  note: Note,
): Promise<void> {
  if (await deletePortion(tx, contents, projectId, note)) return;
  await addRemains(tx, projectId, note);
  await jobs.enqueue(tx, job, { tenantId: tx.tenantId, projectId });
}

/** Goes on deleting for `ms`, a portion at least; whether nothing is left. `db` reaches the whole tenant. */
export async function finishRemains(
  db: ScopedDb,
  contents: readonly Contents[],
  projectId: string,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    const isDone = await db.transaction(async (tx) => {
      const note = await lockRemains(tx, projectId);
      if (note === null) return true;
      if (!(await deletePortion(tx, contents, projectId, note))) return false;
      await forgetRemains(tx, projectId);
      return true;
    });
    if (isDone) return true;
    if (performance.now() > end || signal?.aborted) return false;
  }
}

/** Deletes some of what a project held; whether that was all. */
async function deletePortion(
  tx: ScopedDb,
  contents: readonly Contents[],
  projectId: string,
  note: Note,
): Promise<boolean> {
  const end = performance.now() + TRANSACTION_MS;
  let room = PORTION;
  for (const each of contents) {
    for (;;) {
      const deleted = await deleteContents(tx, each, projectId, note, room);
      if (deleted === 0) break;
      room -= deleted;
      if (room <= 0 || performance.now() > end) return false;
    }
  }
  await forgetSyncedModels(tx, projectId);
  return true;
}
