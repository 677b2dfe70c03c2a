/** Budgets for evaluating conditions. */
import type { Json } from './expressions.ts';

/** Thrown when a condition takes more than its budget. */
export class BudgetExceeded extends Error {}

/** A budget for evaluating conditions: a number of steps (about 20 ns each), and a time limit. */
export class EvaluationBudget {
  #until = Number.POSITIVE_INFINITY;
  #steps: number;

  constructor({ steps = Number.POSITIVE_INFINITY }) {
    this.#steps = steps;
  }

  /** Limits the time to `ms` from now, by the monotonic clock. */
  within(ms: number): this {
    this.#until = performance.now() + ms;
    return this;
  }

  /** Checks the time limit. @throws BudgetExceeded when it has passed. */
  check(): void {
    if (performance.now() > this.#until) throw new BudgetExceeded();
  }

  /** Subtracts steps. @throws BudgetExceeded when fewer steps are left; the budget is then empty. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new BudgetExceeded();
  }
}

/** Steps per character of a list, whose items are compared one by one. */
const STEPS_PER_CHAR = 25;
/** Limit of counted characters: counting larger values would itself take long. */
const MAX_COUNTED = 100_000;

/** Estimates the steps of comparing a value; a text counts as a list if it is read as one. */
export function stepsOf(value: Json, isList: boolean): number {
  if (typeof value === 'string')
    return isList ? value.length * STEPS_PER_CHAR : value.length / STEPS_PER_CHAR;
  return countChars(value, MAX_COUNTED) * STEPS_PER_CHAR;
}

function countChars(value: Json, max: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let chars = 2;
  for (const [name, member] of Object.entries(value)) {
    chars += name.length + countChars(member, max - chars);
    if (chars > max) break;
  }
  return chars;
}
