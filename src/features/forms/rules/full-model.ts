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

/** How a run ended when it did not end in a verdict. */
export type FullModelFailure = 'took too long' | 'could not be checked';

export interface FullModelOptions {
  /** How long one run may take, in milliseconds; starting the thread does not count. Default 2,000. */
  readonly deadlineMs?: number;
  /** Runs that may wait; one more is refused as taking too long. Default 200. */
  readonly maxWaiting?: number;
}

/** Runs submissions through the full model, one at a time. */
export interface FullModel {
  run(definition: FormDefinition, answers: Record<string, unknown>): Promise<ModelVerdict | FullModelFailure>;
  /** Ends the thread; runs that wait end as `could not be checked`. */
  close(): Promise<void>;
}

/** Creates the runner; its thread starts with the first run and does not keep the process alive. */
export function createFullModel(options: FullModelOptions = {}): FullModel {
  return new ThreadedModel(options.deadlineMs ?? 2000, options.maxWaiting ?? 200);
}

/** The thread's heap; survey-core itself takes about 30 MB. */
const HEAP_MB = 192;

interface Run extends FullModelRequest {
  readonly settle: (outcome: ModelVerdict | FullModelFailure) => void;
}

class ThreadedModel implements FullModel {
  readonly #deadlineMs: number;
  readonly #maxWaiting: number;
  readonly #waiting: Run[] = [];
  readonly #thread = new GuardedThread<FullModelRequest, FullModelReply>({
    script: new URL('./full-model-worker.ts', import.meta.url),
    heapMb: HEAP_MB,
  });
  #isClosed = false;

  constructor(deadlineMs: number, maxWaiting: number) {
    this.#deadlineMs = deadlineMs;
    this.#maxWaiting = maxWaiting;
  }

  run(
    definition: FormDefinition,
    answers: Record<string, unknown>,
  ): Promise<ModelVerdict | FullModelFailure> {
    if (this.#isClosed) return Promise.resolve('could not be checked');
    if (this.#waiting.length >= this.#maxWaiting) return Promise.resolve('took too long');
    const { promise, resolve } = Promise.withResolvers<ModelVerdict | FullModelFailure>();
    this.#waiting.push({ definition, answers, settle: resolve });
    void this.#advance();
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const run of this.#waiting.splice(0)) run.settle('could not be checked');
    await this.#thread.close();
  }

  /** Gives the thread one waiting run after the other, unless it is at it already. */
  async #advance(): Promise<void> {
    while (!this.#thread.isBusy) {
      const run = this.#waiting.shift();
      if (run === undefined) return;
      const { definition, answers } = run;
      const outcome = await this.#thread.run({ definition, answers }, { ms: this.#deadlineMs });
      if (outcome.ok) run.settle(outcome.reply.verdict ?? 'could not be checked');
      else run.settle(outcome.reason === 'ended' ? 'could not be checked' : outcome.reason);
    }
  }
}
