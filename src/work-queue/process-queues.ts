import type { Claim, Target } from './claim.ts';

/** A work queue, by its name. */
interface NamedQueue {
  readonly name: string;
}

/** The worker of a work queue, for code that writes rows. */
export interface QueueHandle {
  wake(target?: Target): void;
  leaseFor(target: Target): Date | null;
  begin(claims: readonly Claim[]): void;
}

/** The worker of a work queue, for the process that runs it. */
export interface RunningWorker extends QueueHandle {
  start(options?: { isWatched?: boolean }): void;
  /** Requests a poll because rows are waiting. */
  poll(): void;
  stop(): Promise<void>;
}

/** The work queues of one process. */
export interface WorkQueues {
  /** Wakes this process's worker because rows of a work queue, or of `target`, may be due; other processes poll. */
  wake(workQueue: NamedQueue, target?: Target): void;
  /**
   * Returns the end of a lease for a new row of a target. After the commit, this process starts the row with `begin`.
   * Returns null if this process has no room for it in addition to waiting rows; the row is then created without a
   * lease. Only for ordered work queues, because only they poll at once for returned rows.
   */
  leaseFor(workQueue: NamedQueue, target: Target): Date | null;
  /**
   * Starts rows that were created with a lease from `leaseFor`. Rows without room are returned and due at once. If the
   * process ends first, rows return when their leases end.
   */
  begin(workQueue: NamedQueue, claims: readonly Claim[]): void;
  /** Passes the calls above to the worker of a work queue from now on. */
  attach(workQueue: NamedQueue, worker: QueueHandle): void;
}
