/** Budgets for evaluating conditions. */
import type { Json } from './expressions.ts';

/** A condition takes more than its budget. */
export class EffortExceeded extends Error {}

/** A budget for evaluating conditions, of steps (some 20 ns) and of time. */
export class Effort {
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

  /** @throws EffortExceeded when the time is over. */
  check(): void {
    if (performance.now() > this.#until) throw new EffortExceeded();
  }

  /** @throws EffortExceeded when fewer steps are left; the budget is then empty. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new EffortExceeded();
  }
}

/** Items of lists are compared one by one. */
const STEPS_PER_CHAR = 25;
/** Counting larger values would itself take long. */
const MAX_COUNTED = 100_000;

/** Estimates the steps of comparing a value; a text counts as a list if it is read as one. */
export function stepsOf(value: Json, isList: boolean): number {
  if (typeof value === 'string')
    return isList ? value.length * STEPS_PER_CHAR : value.length / STEPS_PER_CHAR;
  return charsOf(value, MAX_COUNTED) * STEPS_PER_CHAR;
}

function charsOf(value: Json, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let chars = 2;
  for (const [name, member] of Object.entries(value)) {
    chars += name.length + charsOf(member, most - chars);
    if (chars > most) break;
  }
  return chars;
}
