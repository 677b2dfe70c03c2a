/**
 * Values that a form computes: calculated values and `expression` questions. Values that callers send for them are
 * ignored.
 */

import { Helpers } from 'survey-core';
import { isEmptyAnswer } from './definition.ts';
import { type Expression, type ExpressionValues, NotCompilableError } from './expressions.ts';
import type { FormExpressions } from './form-expressions.ts';
import { isComputed, type Outline } from './outline.ts';

/** Longer texts count as empty; otherwise values that double each other could grow without limit. */
const MAX_COMPUTED_CHARS = 10_000;

/** A computed value. */
export interface ComputedValue {
  readonly key: string;
  /** Index of its question in the outline; undefined for a calculated value. */
  readonly question?: number;
  /** True if it is part of the accepted answers. */
  readonly isResult: boolean;
  readonly expression: Expression;
  /** Digits after the decimal point. */
  readonly precision?: number | undefined;
}

/**
 * Compiles a form's computed values, each after those that it reads. @throws NotCompilableError for circular values,
 * or if an expression needs the full model.
 */
export function compileComputedValues(
  { form, questions }: Outline,
  expressions: FormExpressions,
): ComputedValue[] {
  const calculated = form
    .parts('calculatedValues')
    .map((part) => ({ part, key: part.name, isResult: part.flag('includeIntoResult') }));
  const expressionQuestions = questions
    .filter(({ element }) => isComputed(element))
    .map(({ element: part, key, at: question }) => {
      return { part, key, isResult: true, question, precision: part.number('precision') };
    });
  const computed = [...calculated, ...expressionQuestions].flatMap(({ part, ...value }) => {
    const text = part.text('expression');
    return text === undefined ? [] : [{ ...value, expression: expressions.compile(text) }];
  });
  return inOrder(computed);
}

/** Computes all values into `values`, in order. */
export function computeInto(values: ExpressionValues, computed: readonly ComputedValue[]): void {
  for (const { key, expression, precision } of computed) {
    const value = toAnswer(expression(values), precision);
    if (isEmptyAnswer(value)) delete values[key];
    else values[key] = value;
  }
}

/** Sorts each value after those that it reads. */
function inOrder(computed: readonly ComputedValue[]): ComputedValue[] {
  const byName = new Map(computed.map((value) => [value.key.toLowerCase(), value]));
  const ordered = new Set<ComputedValue>();
  const open = new Set<ComputedValue>();
  const add = (value: ComputedValue): void => {
    if (ordered.has(value)) return;
    if (open.has(value)) throw new NotCompilableError('computed values depend on each other');
    open.add(value);
    for (const name of value.expression.variables) {
      const source = byName.get(name);
      if (source !== undefined) add(source);
    }
    ordered.add(value);
  };
  for (const value of computed) add(value);
  return [...ordered];
}

/** Converts a result as survey-core does: no infinity, rounded to the precision, dates as text. */
function toAnswer(result: unknown, precision = -1): unknown {
  if (result === Number.POSITIVE_INFINITY || Number.isNaN(result)) return undefined;
  const value: unknown = Helpers.convertValToQuestionVal(result);
  if (typeof value === 'string' && value.length > MAX_COMPUTED_CHARS) return undefined;
  if (precision < 0 || typeof value !== 'number') return value;
  return Number(value.toFixed(Math.trunc(Math.min(precision, 20))));
}
