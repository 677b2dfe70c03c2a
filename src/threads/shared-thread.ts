import { type FailureReason, GuardedThread, type ThreadOptions } from './guarded-thread.ts';

/** A run that could not be made now, whatever it asks: too many wait, or the thread is gone. */
export class ThreadBusyError extends Error {
  constructor() {
    super('the thread has no time for this run');
    this.name = 'ThreadBusyError';
  }
}

/** How such a thread is started, and how long its runs may take and wait. */
export interface SharedThreadOptions extends ThreadOptions {
  /** How long one run may take, in milliseconds; starting the thread does not count. */
  readonly deadlineMs: number;
  /** How long one run may wait for its turn, in milliseconds. */
  readonly maxWaitMs: number;
  /** Runs of all tenants that may wait: each holds its request in memory. */
  readonly maxWaiting: number;
}

interface Run<Request, Reply> {
  readonly tenantId: string;
  /** When its turn is: each tenant has one run in a round. */
  readonly round: number;
  readonly request: Request;
  /** When it began to wait, on the clock of `performance.now`. */
  readonly since: number;
  readonly settle: (outcome: Reply | RunFailure) => void;
  readonly reject: (error: ThreadBusyError) => void;
}

/** Why a run has no reply: it exceeded its deadline, or it ended its thread. */
export type RunFailure = Exclude<FailureReason, 'did not start'>;

/** A guarded thread that tenants share: one run at a time, tenants in turn. */
export class SharedThread<Request, Reply> {
  readonly #options: SharedThreadOptions;
  readonly #thread: GuardedThread<Request, Reply>;
  /** In the order of their turns. */
  #waiting: Run<Request, Reply>[] = [];
  #round = 0;
  #isClosed = false;

  constructor(options: SharedThreadOptions) {
    this.#options = options;
    this.#thread = new GuardedThread(options);
  }

  /** Has the thread answer `request`, which must survive a structured clone. Rejects with ThreadBusyError only. */
  run(tenantId: string, request: Request): Promise<Reply | RunFailure> {
    if (this.#isClosed || !this.#makeRoom(tenantId)) return Promise.reject(new ThreadBusyError());
    const { promise, resolve, reject } = Promise.withResolvers<Reply | RunFailure>();
    const round = (this.#lineOf(tenantId).at(-1)?.round ?? this.#round) + 1;
    const run = { tenantId, round, request, since: performance.now(), settle: resolve, reject };
    this.#waiting = [...this.#waiting, run].sort((one, other) => one.round - other.round);
    void this.#advance();
    return promise;
  }

  /** Ends the thread; runs that wait are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuse(this.#waiting);
    await this.#thread.close();
  }

  #lineOf(tenantId: string): Run<Request, Reply>[] {
    return this.#waiting.filter((run) => run.tenantId === tenantId);
  }

  /**
   * Whether one more run of a tenant may wait. One tenant may have all the room that others leave; when there is none, the
   * newest run of the longest line makes way for a tenant with fewer.
   */
  #makeRoom(tenantId: string): boolean {
    if (this.#waiting.length < this.#options.maxWaiting) return true;
    const lines = [...Map.groupBy(this.#waiting, (run) => run.tenantId).values()];
    const longest = lines.reduce((most, line) => (line.length > most.length ? line : most), []);
    if (longest.length <= this.#lineOf(tenantId).length + 1) return false;
    this.#refuse(longest.slice(-1));
    return true;
  }

  #refuse(runs: readonly Run<Request, Reply>[]): void {
    this.#waiting = this.#waiting.filter((run) => !runs.includes(run));
    for (const run of runs) run.reject(new ThreadBusyError());
  }

  /** Gives the thread one waiting run after the other, unless it is at it already. */
  async #advance(): Promise<void> {
    while (!this.#thread.isBusy) {
      const earliest = performance.now() - this.#options.maxWaitMs;
      this.#refuse(this.#waiting.filter(({ since }) => since < earliest));
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
