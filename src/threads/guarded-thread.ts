/**
 * A thread for work that untrusted input could keep busy for ever or make fill the memory. It does one thing at a
 * time under a deadline; work that exceeds it is ended together with the thread, and the next run starts a new one.
 */
import { Worker } from 'node:worker_threads';
import { codeOf } from '../errors/error-code.ts';
import type { ThreadMessage } from './serve-thread.ts';

/** How a thread is started. */
export interface ThreadOptions {
  /** A module that calls `serveThread`. */
  readonly script: URL;
  /** Its heap, in MB; filling it ends the thread. */
  readonly heapMb: number;
  /** Handed to the thread when it starts. */
  readonly data?: unknown;
}

/** How long a run may take. */
export interface Deadline {
  /**
   * Milliseconds of the thread's processor time, so that a busy machine ends nothing; a run is ended up to a half later, or
   * when it has taken ten times as long by the clock. Starting the thread does not count.
   */
  readonly ms: number;
  /** A number that changes whenever the run completes a step: the deadline is then each step's. */
  readonly progress?: () => number;
}

/** Why a run has no answer: `ended`, its thread was closed or broke. One that did not start has not seen the request. */
export type FailureReason = 'did not start' | 'took too long' | 'out of memory' | 'ended';

/** How a run ended: with an answer, over its deadline, or with its thread; `cause` is what the thread itself threw. */
export type ThreadOutcome<Reply> =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly reason: FailureReason; readonly cause?: unknown };

/** Node's code for a thread that has filled its heap. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
/** How long a new thread may take to load its modules, milliseconds by the clock: long, as a machine may start much at once. */
const START_MS = 60_000;
/** By the clock a run may take so many times its deadline. */
const CLOCK_TIMES = 10;

interface Run<Request, Reply> {
  readonly request: Request;
  readonly deadline: Deadline;
  readonly settle: (outcome: ThreadOutcome<Reply>) => void;
}

/** One such thread; it starts with the first run and does not keep the process alive while idle. */
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

  /** Whether a run is under way; a second one is refused by throwing. */
  get isBusy(): boolean {
    return this.#run !== undefined;
  }

  /** Has the thread answer `request`, which must survive a structured clone. Never rejects. */
  run(request: Request, deadline: Deadline): Promise<ThreadOutcome<Reply>> {
    if (this.#run !== undefined) throw new Error('A thread does one thing at a time.');
    if (this.#isClosed) return Promise.resolve({ ok: false, reason: 'did not start' });
    const { promise, resolve } = Promise.withResolvers<ThreadOutcome<Reply>>();
    this.#run = { request, deadline, settle: resolve };
    if (this.#worker === undefined) this.#start();
    if (this.#isReady) this.#begin(this.#run);
    return promise;
  }

  /** Ends the thread; what it was doing is answered as ended, or as never begun. */
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
    /** Processor time of the thread at the last look, and since the step began, milliseconds. */
    let [seen, used] = [Number.NaN, 0];
    const look = (usage: NodeJS.CpuUsage): void => {
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
        // It tells nothing while the thread is not in JavaScript, and fails when the thread is gone: that is told by itself.
        worker?.cpuUsage().then(look, () => {});
        if (used >= ms || performance.now() - since >= ms * CLOCK_TIMES)
          this.#endUnlessAnswered(watched, () => progress?.() === step);
      },
      Math.max(5, ms / 4),
    );
  }

  /** When this thread itself was busy, the answer may be waiting: it is read before the immediate runs. */
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
