import { type FailureReason, GuardedThread, type ThreadOptions } from './guarded-thread.ts';

/** Thrown if no run is possible now: too many runs are waiting, or the thread has ended. */
export class ThreadBusyError extends Error {
  constructor() {
    super('the thread is too busy for this run');
    this.name = 'ThreadBusyError';
  }
}

/** Options of a shared thread and its time limits. */
export interface SharedThreadOptions extends ThreadOptions {
  /** Time limit of one run, in ms, without the start of the thread. */
  readonly deadlineMs: number;
  /** Maximum time that a run waits for its turn, in ms. */
  readonly maxWaitMs: number;
  /** Maximum number of waiting runs of all tenants; their requests are in memory. */
  readonly maxWaiting: number;
}

interface Run<Request, Reply> {
  readonly tenantId: string;
  /** Round of the run; each tenant has one run per round. */
  readonly round: number;
  readonly request: Request;
  /** Start of the wait, by `performance.now`. */
  readonly since: number;
  readonly settle: (outcome: Reply | RunFailure) => void;
  readonly reject: (error: ThreadBusyError) => void;
}

/** Reason why a run has no reply: it exceeded its deadline, or it ended its thread. */
export type RunFailure = Exclude<FailureReason, 'did not start'>;

/** A guarded thread that tenants share: it executes one run at a time, and tenants take turns. */
export class SharedThread<Request, Reply> {
  readonly #options: SharedThreadOptions;
  readonly #thread: GuardedThread<Request, Reply>;
  /** Waiting runs, in the order of their turns. */
  #waiting: Run<Request, Reply>[] = [];
  #round = 0;
  #isClosed = false;

  constructor(options: SharedThreadOptions) {
    this.#options = options;
    this.#thread = new GuardedThread(options);
  }

  /** Runs `request`, which must support structured clone, in the thread. Rejects only with ThreadBusyError. */
  run(tenantId: string, request: Request): Promise<Reply | RunFailure> {
    if (this.#isClosed || !this.#admit(tenantId)) return Promise.reject(new ThreadBusyError());
    const { promise, resolve, reject } = Promise.withResolvers<Reply | RunFailure>();
    const round = (this.#runsOf(tenantId).at(-1)?.round ?? this.#round) + 1;
    const run = { tenantId, round, request, since: performance.now(), settle: resolve, reject };
    this.#waiting = [...this.#waiting, run].sort((one, other) => one.round - other.round);
    void this.#advance();
    return promise;
  }

  /** Ends the thread and rejects waiting runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectRuns(this.#waiting);
    await this.#thread.close();
  }

  #runsOf(tenantId: string): Run<Request, Reply>[] {
    return this.#waiting.filter((run) => run.tenantId === tenantId);
  }

  /**
   * Returns true if one more run of a tenant may wait. A tenant may use all places that others leave. If all are taken,
   * the newest run of the longest queue is rejected in favour of a tenant with fewer runs.
   */
  #admit(tenantId: string): boolean {
    if (this.#waiting.length < this.#options.maxWaiting) return true;
    const queues = [...Map.groupBy(this.#waiting, (run) => run.tenantId).values()];
    const longest = queues.reduce((most, queue) => (queue.length > most.length ? queue : most), []);
    if (longest.length <= this.#runsOf(tenantId).length + 1) return false;
    this.#rejectRuns(longest.slice(-1));
    return true;
  }

  #rejectRuns(runs: readonly Run<Request, Reply>[]): void {
    this.#waiting = this.#waiting.filter((run) => !runs.includes(run));
    for (const run of runs) run.reject(new ThreadBusyError());
  }

  /** Executes waiting runs one after the other, unless the thread is busy. */
  async #advance(): Promise<void> {
    while (!this.#thread.isBusy) {
      const earliest = performance.now() - this.#options.maxWaitMs;
      this.#rejectRuns(this.#waiting.filter(({ since }) => since < earliest));
      const run = this.#waiting.shift();
      if (run === undefined) return;
      this.#round = run.round;
      const outcome = await this.#thread.run(run.request, { ms: this.#options.deadlineMs });
      if (outcome.ok) run.settle(outcome.reply);
      else if (this.#isClosed || outcome.reason === 'did not start') run.reject(new ThreadBusyError());
      else run.settle(outcome.reason);
    }
  }
}
