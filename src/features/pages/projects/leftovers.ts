/**
 * Leftovers: contents of deleted projects and of unfinished copies. They are deleted in batches, each in its own
 * transaction. Each transaction locks the project's row in `page_project_remains`, so that a new project with the same
 * id loses nothing.
 */
import Type from 'typebox';
import { defineJob, type Job } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { type Authorship, type Contents, deleteContents } from '../../../resources/contents.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { addLeftovers, deleteLeftoversRecord, lockLeftovers } from './queries.ts';
import { deleteSyncedModels } from './synced-models.ts';

/** Records per transaction; enough to delete a small project within its request. */
const BATCH_SIZE = 500;
/** Time after which a transaction starts no further deletion, in ms; limits batches of large records. */
const TRANSACTION_MS = 500;
/** Time limit of one job run, in ms, so that projects of several tenants take turns. */
const RUN_MS = 10_000;
const TIMEOUT_SECONDS = 900;

const Payload = Type.Object({ tenantId: Type.String(), projectId: Type.String() });

/** Returns the job that deletes leftovers. */
export function deleteLeftoversJob(contents: readonly Contents[]): Job {
  const job: Job = defineJob({
    name: 'projects.delete-remains',
    payload: Payload,
    timeoutSeconds: TIMEOUT_SECONDS,
    run: async (platform, { tenantId, projectId }) => {
      const db = platform.scoped(wholeTenant(tenantId));
      if (await deleteLeftovers(db, contents, projectId, RUN_MS, platform.drain.signal)) return;
      await db.transaction((tx) => platform.jobs.enqueue(tx, job, { tenantId, projectId }));
    },
  });
  return job;
}

/**
 * Deletes the first batch of a project's contents, in the transaction that deletes the project. If there are more,
 * records them as leftovers and enqueues `job`.
 */
export async function deleteOrRecordLeftovers(
  { jobs }: Platform,
  tx: ScopedDb,
  contents: readonly Contents[],
  job: Job,
  projectId: string,
  authorship: Authorship,
): Promise<void> {
  if (await deleteBatch(tx, contents, projectId, authorship)) return;
  await addLeftovers(tx, projectId, authorship);
  await jobs.enqueue(tx, job, { tenantId: tx.tenantId, projectId });
}

/**
 * Deletes leftovers for up to `ms`, at least one batch. Returns true if none remain. `db` must have the scope of the
 * whole tenant.
 */
export async function deleteLeftovers(
  db: ScopedDb,
  contents: readonly Contents[],
  projectId: string,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    const isDone = await db.transaction(async (tx) => {
      const authorship = await lockLeftovers(tx, projectId);
      if (authorship === null) return true;
      if (!(await deleteBatch(tx, contents, projectId, authorship))) return false;
      await deleteLeftoversRecord(tx, projectId);
      return true;
    });
    if (isDone) return true;
    if (performance.now() > end || signal?.aborted) return false;
  }
}

/** Deletes one batch; returns true if no contents remain. */
async function deleteBatch(
  tx: ScopedDb,
  contents: readonly Contents[],
  projectId: string,
  authorship: Authorship,
): Promise<boolean> {
  const end = performance.now() + TRANSACTION_MS;
  let remaining = BATCH_SIZE;
  for (const each of contents) {
    for (;;) {
      const deleted = await deleteContents(tx, each, projectId, authorship, remaining);
      if (deleted === 0) break;
      remaining -= deleted;
      if (remaining <= 0 || performance.now() > end) return false;
    }
  }
  await deleteSyncedModels(tx, projectId);
  return true;
}
