import { runAs } from '../db/work-kind.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import type { QueueHandle, RunningWorker, WorkQueues } from './process-queues.ts';
import { WaitingWatch, type WatchedWorkQueue } from './waiting-watch.ts';
import type { WorkQueue } from './work-queue.ts';
import { countPending, recallRows } from './work-queue-queries.ts';

/** Upper bound of the pending count, which limits its cost. */
const MAX_COUNTED = 100_000;

/**
 * Creates the work queues of a process. Until `startWorkQueues`, and always in a process with the role `api`, they
 * have no workers: calls have no effect, and `claimFor` returns null.
 */
export function createWorkQueues(): WorkQueues {
  const workers = new Map<string, QueueHandle>();
  return {
    wake: (workQueue, target) => workers.get(workQueue.name)?.wake(target),
    claimFor: (workQueue, target) => workers.get(workQueue.name)?.claimFor(target) ?? null,
    // The rows may come from a request; their work must not count as part of it.
    begin: (workQueue, claims) => runAs('job', () => workers.get(workQueue.name)?.begin(claims)),
    attach: (workQueue, worker) => workers.set(workQueue.name, worker),
  };
}

/** Workers of a process, and the watch that wakes them. */
interface Running {
  readonly workers: RunningWorker[];
  watch: WaitingWatch | null;
}

const running = oncePerPlatform((): Running => ({ workers: [], watch: null }));

/** Starts a worker for each work queue. */
export async function startWorkQueues(platform: Platform, workQueues: readonly WorkQueue[]): Promise<void> {
  const { workers } = running(platform);
  const watched: WatchedWorkQueue[] = [];
  for (const workQueue of workQueues) {
    // The embedded database has one process, so every previous lease is dead.
    if (platform.database.kind === 'embedded') await recallRows(platform, workQueue, platform.clock(), 0);
    platform.metrics.gauge(
      `tessera_work_queue_${workQueue.name.replaceAll('-', '_')}_pending`,
      `Pending and running items of the work queue ${workQueue.name}, counted up to ${MAX_COUNTED}.`,
      () => countPending(platform.database.everyTenant('work-queues'), workQueue, MAX_COUNTED),
    );
    const worker = workQueue.createWorker(platform);
    workers.push(worker);
    platform.workQueues.attach(workQueue, worker);
    const { view = workQueue.table, extraTenantIds = [] } = workQueue;
    watched.push({ view, hasExtraTenants: extraTenantIds.length > 0, worker });
    runAs('job', () => worker.start({ isWatched: true }));
  }
  const watch = new WaitingWatch(platform, watched);
  running(platform).watch = watch;
  void watch.start();
}

/** Stops claiming and waits for attempts under way. */
export async function stopWorkQueues(platform: Platform): Promise<void> {
  const { watch, workers } = running(platform);
  watch?.stop();
  await Promise.all(workers.map((worker) => worker.stop()));
}
