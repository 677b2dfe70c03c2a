/** The worker thread for expensive conditions. Started and stopped only by `condition-thread.ts`. */
import { startCpuTimer } from '../threads/cpu-timer.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { ConditionReply, ConditionRequest } from './condition-thread.ts';
import { compileCondition } from './conditions.ts';
import { BudgetExceeded, EvaluationBudget } from './evaluation-budget.ts';
import { FlowError } from './expressions.ts';

serveThread(({ condition, values, deadlineMs }: ConditionRequest): ConditionReply => {
  const usedMs = startCpuTimer();
  try {
    const test = compileCondition(condition);
    const isMet = typeof test === 'function' && test(values, new EvaluationBudget({}).within(deadlineMs));
    return { isMet, error: null, usedMs: usedMs() };
  } catch (error) {
    if (error instanceof BudgetExceeded) return { isMet: null, error: null, usedMs: usedMs() };
    if (error instanceof FlowError) return { isMet: null, error: error.message, usedMs: usedMs() };
    throw error;
  }
});
