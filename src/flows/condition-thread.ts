/**
 * Cheap conditions (nearly all) are evaluated on the main thread, expensive ones in a worker thread with a deadline, so
 * that one tenant's conditions do not delay other tenants.
 */
import { oncePerPlatform, type Platform } from '../platform.ts';
import { SharedThread, ThreadBusyError } from '../threads/shared-thread.ts';
import type { ConditionTest } from './conditions.ts';
import { BudgetExceeded, EvaluationBudget } from './evaluation-budget.ts';
import { FlowError, type Values } from './expressions.ts';

/** A compiled condition and its definition. */
export interface Condition {
  readonly definition: unknown;
  readonly test: ConditionTest;
}

/** A request to the thread. */
export interface ConditionRequest {
  readonly condition: unknown;
  readonly values: Values;
  readonly deadlineMs: number;
}

/** The reply: true or false, or the reason why it is unknown; and the processor time, in ms. */
export interface ConditionReply {
  readonly isMet: boolean | null;
  readonly error: string | null;
  readonly usedMs: number;
}

/** Budget of all conditions of one run on the main thread. */
const INLINE = { ms: 5, steps: 250_000 };
/** Budget of all conditions of one run in the worker thread: processor time in ms. */
const DEADLINE_MS = 2000;
/** Deadline of the thread itself: a single comparison cannot be interrupted. */
const HARD_DEADLINE_MS = 2 * DEADLINE_MS;
const MAX_WAIT_MS = 15_000;
/** Maximum number of waiting requests: each one keeps the values of a run in memory. */
const MAX_WAITING = 50;

const TOO_LONG = 'The evaluation takes too long.';

const thread = oncePerPlatform((platform: Platform) => {
  const shared = new SharedThread<ConditionRequest, ConditionReply>({
    script: new URL('./condition-worker.ts', import.meta.url),
    heapMb: 256,
    deadlineMs: HARD_DEADLINE_MS,
    maxWaitMs: MAX_WAIT_MS,
    maxWaiting: MAX_WAITING,
  });
  platform.onClose(() => shared.close());
  return shared;
});

/** Thrown when the thread is busy; a later attempt may succeed. */
export class ConditionsBusy extends Error {}

/** Evaluates the conditions of one run within a budget for all of them. */
export class ConditionEvaluator {
  readonly #platform: Platform;
  readonly #tenantId: string;
  readonly #inline = new EvaluationBudget({ steps: INLINE.steps });
  #inlineMs = INLINE.ms;
  #leftMs = DEADLINE_MS;

  constructor(platform: Platform, tenantId: string) {
    this.#platform = platform;
    this.#tenantId = tenantId;
  }

  /**
   * Returns true if a condition is met. @throws FlowError if its evaluation fails or takes too long; ConditionsBusy.
   */
  async isMet({ definition, test }: Condition, values: Values): Promise<boolean> {
    const startedAt = performance.now();
    try {
      return test(values, this.#inline.within(this.#inlineMs));
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
    } finally {
      this.#inlineMs -= performance.now() - startedAt;
    }
    return this.#isMetInThread(definition, values);
  }

  async #isMetInThread(condition: unknown, values: Values): Promise<boolean> {
    if (this.#leftMs <= 0) throw new FlowError(TOO_LONG);
    const request = { condition, values, deadlineMs: this.#leftMs };
    try {
      const reply = await thread(this.#platform).run(this.#tenantId, request);
      if (typeof reply === 'string') throw new FlowError(TOO_LONG);
      this.#leftMs -= reply.usedMs;
      if (reply.isMet === null) throw new FlowError(reply.error ?? TOO_LONG);
      return reply.isMet;
    } catch (error) {
      throw error instanceof ThreadBusyError ? new ConditionsBusy() : error;
    }
  }
}
