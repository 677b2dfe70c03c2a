import { runAs } from '../db/work-kind.ts';
import type { Platform } from '../platform.ts';
import { WaitingWatch, type WatchedWorkQueue } from './waiting-watch.ts';
import type { Claim, Target, WorkQueue } from './work-queue.ts';
import { countPending, type LiveLeases, recallRows } from './work-queue-queries.ts';

/** Upper bound of the pending count, which limits its cost. */
const MAX_COUNTED = 100_000;

const NO_LEASES: LiveLeases = { endAt: new Date(0), openIds: [] };

/** The work queues of one process. */
export interface WorkQueues {
  /** Wakes this process's worker because rows of a work queue, or of `target`, may be due; other processes poll. */
  wake(workQueue: Pick<WorkQueue, 'name'>, target?: Target): void;
  /**
   * Returns the end of a lease for a new row of a target, which this process starts after the commit with `begin`.
   * Returns null if this process has no room for it in addition to waiting rows; the row is then created without a lease. Only for
   * ordered work queues, because only they poll at once for returned rows.
   */
  leaseFor(workQueue: Pick<WorkQueue, 'name'>, target: Target): Date | null;
  /**
   * Starts rows that were created with a lease from `leaseFor`. Rows without room are returned and due at once. If the process
   * ends first, rows return when their leases end.
   */
  begin(workQueue: Pick<WorkQueue, 'name'>, claims: readonly Claim[]): void;
  start(platform: Platform, workQueues: readonly WorkQueue[]): Promise<void>;
  /** Stops claiming and waits for attempts under way. */
  stop(): Promise<void>;
}

/** Creates the work queues of a process. They work only after `start`; until then, and in a web-only process, `wake` has no effect. */
export function createWorkQueues(): WorkQueues {
  const workers = new Map<string, ReturnType<WorkQueue['createWorker']>>();
  let watch: WaitingWatch | undefined;
  return {
    wake: (workQueue, target) => workers.get(workQueue.name)?.wake(target),
    leaseFor: (workQueue, target) => workers.get(workQueue.name)?.leaseFor(target) ?? null,
    // The rows may come from a request; their work must not count as part of it.
    begin: (workQueue, claims) => runAs('job', () => workers.get(workQueue.name)?.begin(claims)),
    async start(platform, workQueues) {
      const watched: WatchedWorkQueue[] = [];
      for (const workQueue of workQueues) {
        // The embedded database has one process, so every previous lease is dead.
        if (platform.database.kind === 'embedded')
          await recallRows(platform, workQueue, platform.clock(), NO_LEASES);
        platform.metrics.gauge(
          `tessera_work_queue_${workQueue.name.replaceAll('-', '_')}_pending`,
          `Pending and running items of the work queue ${workQueue.name}, counted up to ${MAX_COUNTED}.`,
          () => countPending(platform.database.everyTenant('work-queues'), workQueue, MAX_COUNTED),
        );
        const worker = workQueue.createWorker(platform);
        workers.set(workQueue.name, worker);
        const { view = workQueue.table, extraTenantIds = [] } = workQueue;
        watched.push({ view, hasExtraTenants: extraTenantIds.length > 0, worker });
        runAs('job', () => worker.start({ isWatched: true }));
      }
      watch = new WaitingWatch(platform, watched);
      void watch.start();
    },
    async stop() {
      watch?.stop();
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
    },
  };
}
