import type { Part } from './definition.ts';
import type { Condition, Expression } from './expressions.ts';

/** Number of evaluations per check: once, or for each selected choice. */
export type Times = 'once' | 'perChoice';

/** Options of a condition. */
export interface ConditionOptions {
  /** Returns true if a result meets the condition. Default: only the value `true` does. */
  readonly isMet?: ((result: unknown) => boolean) | undefined;
  /** True for a condition on a choice, which it reads as `{item}`. */
  readonly isOfChoice?: boolean;
  readonly times?: Times;
}

/** Compiles the expressions of a form; `FormExpressions` is the one implementation. */
export interface ExpressionCompiler {
  /** Compiles an expression on the answers. @throws NotCompilableError if it needs more than the answers. */
  compile(text: string, times?: Times): Expression;
  /** Compiles the condition in a property such as `visibleIf`; undefined if it is missing. */
  condition(part: Part, property: string, options?: ConditionOptions): Condition | undefined;
}
