/**
 * survey-core's full model for forms that compiled rules do not express. It builds objects for every row and cell and
 * can be kept busy by a hostile submission (20,000 rows: 10 seconds), so it runs in a thread of its own with a
 * deadline: a run that exceeds it is ended together with the thread, and the next one starts a new thread.
 */

import { GuardedThread } from '../../../threads/guarded-thread.ts';
import type { FormDefinition } from './definition.ts';
import type { ModelVerdict } from './full-model-run.ts';

/** One run; what the thread receives. */
export interface FullModelRequest {
  readonly definition: FormDefinition;
  readonly answers: Record<string, unknown>;
}

/** What the thread answers: null when survey-core failed. */
export interface FullModelReply {
  readonly verdict: ModelVerdict | null;
}

/** Why answers have no verdict: they kept the model busy, or it failed on them or ran out of memory. */
export type FullModelFailure = 'took too long' | 'could not be checked';

/** A run that could not be made now, whatever its answers: too many wait, or the thread is gone. */
export class FullModelBusyError extends Error {
  constructor() {
    super('the full model has no time for this run');
    this.name = 'FullModelBusyError';
  }
}

export interface FullModelOptions {
  /** How long one run may take, in milliseconds; starting the thread does not count. Default 2,000. */
  readonly deadlineMs?: number;
  /** How long one run may wait for its turn, in milliseconds. Default 10,000. */
  readonly maxWaitMs?: number;
  /** Runs of all tenants that may wait: each holds its answers in memory. Default 200. */
  readonly maxWaiting?: number;
  /** The thread's heap, in MB; survey-core itself takes about 30. Default 192. */
  readonly heapMb?: number;
}

interface Run {
  readonly request: FullModelRequest;
  /** When it began to wait, on the clock of `performance.now`. */
  readonly since: number;
  readonly settle: (outcome: ModelVerdict | FullModelFailure) => void;
  readonly reject: (error: FullModelBusyError) => void;
}

/**
 * Runs submissions through the full model, one at a time and tenants in turn. Its thread starts with the first run and
 * does not keep the process alive.
 */
export class FullModel {
  readonly #deadlineMs: number;
  readonly #maxWaitMs: number;
  readonly #maxWaiting: number;
  /** Waiting runs by tenant, oldest first; the first tenant is next. None is empty. */
  readonly #lines = new Map<string, Run[]>();
  readonly #thread: GuardedThread<FullModelRequest, FullModelReply>;
  #isClosed = false;

  constructor(options: FullModelOptions = {}) {
    const { deadlineMs = 2000, maxWaitMs = 10_000, maxWaiting = 200, heapMb = 192 } = options;
    const script = new URL('./full-model-worker.ts', import.meta.url);
    this.#thread = new GuardedThread({ script, heapMb });
    this.#deadlineMs = deadlineMs;
    this.#maxWaitMs = maxWaitMs;
    this.#maxWaiting = maxWaiting;
  }

  /** Rejects with FullModelBusyError only. */
  run(tenantId: string, request: FullModelRequest): Promise<ModelVerdict | FullModelFailure> {
    const line = this.#lines.get(tenantId) ?? [];
    if (this.#isClosed || !this.#makeRoom(line.length)) return Promise.reject(new FullModelBusyError());
    const { promise, resolve, reject } = Promise.withResolvers<ModelVerdict | FullModelFailure>();
    this.#lines.set(tenantId, line);
    line.push({ request, since: performance.now(), settle: resolve, reject });
    void this.#advance();
    return promise;
  }

  /** Ends the thread; runs that wait are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const run of [...this.#lines.values()].flat()) run.reject(new FullModelBusyError());
    this.#lines.clear();
    await this.#thread.close();
  }

  /**
   * Whether one more run may wait in a line of this length. One tenant may have all the room that others leave; when
   * there is none, the newest run of the longest line makes way for a tenant with fewer.
   */
  #makeRoom(length: number): boolean {
    const lines = [...this.#lines.values()];
    if (lines.reduce((sum, line) => sum + line.length, 0) < this.#maxWaiting) return true;
    const longest = lines.reduce((most, line) => (line.length > most.length ? line : most), []);
    if (longest.length <= length + 1) return false;
    longest.pop()?.reject(new FullModelBusyError());
    return true;
  }

  /** Gives the thread one waiting run after the other, unless it is at it already. */
  async #advance(): Promise<void> {
    while (!this.#thread.isBusy) {
      this.#refuseOverdue();
      const run = this.#next();
      if (run === undefined) return;
      const outcome = await this.#thread.run(run.request, { ms: this.#deadlineMs });
      if (outcome.ok) run.settle(outcome.reply.verdict ?? 'could not be checked');
      else if (this.#isClosed || outcome.reason === 'did not start') run.reject(new FullModelBusyError());
      else run.settle(outcome.reason === 'ended' ? 'could not be checked' : outcome.reason);
    }
  }

  /** Takes the oldest run of the tenant whose turn it is, which then goes to the end. */
  #next(): Run | undefined {
    const [first] = this.#lines;
    if (first === undefined) return undefined;
    const [tenantId, line] = first;
    const run = line.shift();
    this.#lines.delete(tenantId);
    if (line.length > 0) this.#lines.set(tenantId, line);
    return run;
  }

  #refuseOverdue(): void {
    const earliest = performance.now() - this.#maxWaitMs;
    for (const [tenantId, line] of this.#lines) {
      while (line[0] !== undefined && line[0].since < earliest)
        line.shift()?.reject(new FullModelBusyError());
      if (line.length === 0) this.#lines.delete(tenantId);
    }
  }
}
