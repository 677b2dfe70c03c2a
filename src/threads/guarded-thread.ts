/**
 * A thread for work on untrusted input, which could run forever or exhaust the memory. It runs one request at a time,
 * with a deadline. A run that exceeds the deadline is terminated with the thread, and the next run starts a new thread.
 */
import { Worker } from 'node:worker_threads';
import { codeOf } from '../errors/error-code.ts';
import type { ThreadMessage } from './serve-thread.ts';

/** Start options of a thread. */
export interface ThreadOptions {
  /** A module that calls `serveThread`. */
  readonly script: URL;
  /** Heap limit, in MB; exceeding it ends the thread. */
  readonly heapMb: number;
  /** Data passed to the thread at its start. */
  readonly data?: unknown;
}

/** Time limit of a run. */
export interface Deadline {
  /**
   * Limit of the thread's CPU time, in ms, so that a busy machine does not end runs. A run may exceed it by half. It
   * also ends at ten times the limit in wall time. Starting the thread does not count.
   */
  readonly ms: number;
  /** Returns a number that changes with each completed step; the deadline then applies to each step. */
  readonly progress?: () => number;
}

/**
 * Reason of a failed run. `ended`: the thread was closed or crashed. `did not start`: the request was not processed.
 */
export type FailureReason = 'did not start' | 'took too long' | 'out of memory' | 'ended';

/** Result of a run: a reply or a failure; `cause` is the error of the thread itself. */
export type ThreadOutcome<Reply> =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly reason: FailureReason; readonly cause?: unknown };

/** Node's error code for a thread that exceeds its heap. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
/** Time limit for loading modules, in ms of wall time; long, because a machine may start much at the same time. */
const START_MS = 60_000;
/** Factor between the CPU time limit and the wall time limit. */
const WALL_TIME_FACTOR = 10;

interface Run<Request, Reply> {
  readonly request: Request;
  readonly deadline: Deadline;
  readonly settle: (outcome: ThreadOutcome<Reply>) => void;
}

/** A guarded thread; it starts with the first run and does not keep an idle process alive. */
export class GuardedThread<Request, Reply> {
  readonly #options: ThreadOptions;
  #worker: Worker | undefined;
  #isReady = false;
  #run: Run<Request, Reply> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** True during a run; a second run throws. */
  get isBusy(): boolean {
    return this.#run !== undefined;
  }

  /** Runs `request`, which must support structured clone. Never rejects. */
  run(request: Request, deadline: Deadline): Promise<ThreadOutcome<Reply>> {
    if (this.#run !== undefined) throw new Error('A thread executes one run at a time.');
    if (this.#isClosed) return Promise.resolve({ ok: false, reason: 'did not start' });
    const { promise, resolve } = Promise.withResolvers<ThreadOutcome<Reply>>();
    this.#run = { request, deadline, settle: resolve };
    if (this.#worker === undefined) this.#start();
    if (this.#isReady) this.#begin(this.#run);
    return promise;
  }

  /** Ends the thread; a current run gets `ended`, or `did not start`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end('ended');
  }

  #start(): void {
    const worker = new Worker(this.#options.script, {
      env: {},
      workerData: this.#options.data,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.heapMb,
        maxYoungGenerationSizeMb: 32,
        stackSizeMb: 4,
      },
    });
    this.#worker = worker;
    this.#isReady = false;
    this.#watchStart();
    worker.on('message', (message: ThreadMessage<Reply>) => {
      if (worker === this.#worker) this.#receive(message);
    });
    const fail = (reason: FailureReason, cause?: unknown): void => {
      if (worker === this.#worker) void this.#end(reason, cause);
    };
    worker.on('error', (error) => {
      if (codeOf(error) === OUT_OF_MEMORY) fail('out of memory');
      else fail('ended', error);
    });
    worker.on('exit', () => fail('ended'));
  }

  #begin({ request, deadline }: Run<Request, Reply>): void {
    this.#watch(deadline);
    this.#worker?.ref();
    this.#worker?.postMessage(request);
  }

  #receive(message: ThreadMessage<Reply>): void {
    clearInterval(this.#timer);
    if (message.kind === 'ready') {
      this.#isReady = true;
      if (this.#run !== undefined) this.#begin(this.#run);
    } else {
      this.#worker?.unref();
      this.#settle({ ok: true, reply: message.reply });
    }
  }

  #watchStart(): void {
    clearInterval(this.#timer);
    const watched = this.#run;
    this.#timer = setTimeout(() => this.#endUnlessAnswered(watched, () => true), START_MS);
  }

  #watch({ ms, progress }: Deadline): void {
    clearInterval(this.#timer);
    const watched = this.#run;
    const worker = this.#worker;
    let since = performance.now();
    let step = progress?.();
    /** CPU time of the thread at the last check, and since the step began, in ms. */
    let [seen, used] = [Number.NaN, 0];
    const check = (usage: NodeJS.CpuUsage): void => {
      const now = (usage.user + usage.system) / 1000;
      if (!Number.isNaN(seen)) used += now - seen;
      seen = now;
    };
    this.#timer = setInterval(
      () => {
        const reached = progress?.();
        if (reached !== step) {
          step = reached;
          since = performance.now();
          [seen, used] = [Number.NaN, 0];
        }
        // The promise is pending while the thread is outside JavaScript, and rejects after its exit, which `exit`
        // reports.
        worker?.cpuUsage().then(check, () => {});
        if (used >= ms || performance.now() - since >= ms * WALL_TIME_FACTOR)
          this.#endUnlessAnswered(watched, () => progress?.() === step);
      },
      Math.max(5, ms / 4),
    );
  }

  /** Ends a late run. The check waits for an immediate, because a reply may be queued if this thread was busy. */
  #endUnlessAnswered(watched: Run<Request, Reply> | undefined, isLate: () => boolean): void {
    setImmediate(() => {
      if (this.#run === watched && isLate()) void this.#end('took too long');
    });
  }

  #settle(outcome: ThreadOutcome<Reply>): void {
    const run = this.#run;
    this.#run = undefined;
    run?.settle(outcome);
  }

  async #end(reason: FailureReason, cause?: unknown): Promise<void> {
    clearInterval(this.#timer);
    const worker = this.#worker;
    const isReady = this.#isReady;
    this.#worker = undefined;
    this.#isReady = false;
    this.#settle({ ok: false, reason: isReady ? reason : 'did not start', cause });
    await worker?.terminate();
  }
}
