import type { Claim, NewClaim, Target } from './claim.ts';

/** A work queue, by its name. */
interface NamedQueue {
  readonly name: string;
}

/** The worker of a work queue, for code that writes rows. */
export interface QueueHandle {
  wake(target?: Target): void;
  claimFor(target: Target): NewClaim | null;
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
   * Returns a claim for a new row of a target. After the commit, this process starts the row with `begin`. Returns null
   * if this process has no room for it in addition to waiting rows; the row is then created without a claim. Only for
   * ordered work queues, because only they poll at once for returned rows.
   */
  claimFor(workQueue: NamedQueue, target: Target): NewClaim | null;
  /**
   * Starts rows that were created with a claim from `claimFor`. Rows without room are returned and due at once. If the
   * process ends first, rows return when their leases end.
   */
  begin(workQueue: NamedQueue, claims: readonly Claim[]): void;
  /** Passes the calls above to the worker of a work queue from now on. */
  attach(workQueue: NamedQueue, worker: QueueHandle): void;
}
