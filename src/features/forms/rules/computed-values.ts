/** Values a form computes itself: calculated values and `expression` questions. What a caller sends for them is ignored. */

import { Helpers } from 'survey-core';
import {
  elementName,
  type FormDefinition,
  isEmptyAnswer,
  type JsonObject,
  readFlag,
  readNumber,
  readObjects,
  readText,
} from './definition.ts';
import { type Expression, type ExpressionValues, expressionVariables, mustCompile } from './expressions.ts';
import type { FormOutline } from './form-outline.ts';
import { NotCompilableError } from './not-compilable-error.ts';

/** Longer texts count as none, or values that double each other would grow without end. */
const MAX_COMPUTED_CHARS = 10_000;

/** One computed value. */
export interface ComputedValue {
  readonly key: string;
  /** Index of the question in the outline, -1 for a calculated value. */
  readonly question: number;
  /** Whether it belongs into the accepted answers. */
  readonly isResult: boolean;
  readonly compute: Expression;
}

/**
 * Compiles a form's computed values, each after those it reads. Throws NotCompilableError when they read each other in
 * a circle or an expression needs the full model.
 */
export function compileComputedValues(
  definition: FormDefinition,
  outline: FormOutline,
  known: ReadonlySet<string>,
): ComputedValue[] {
  const sources = [...calculatedSources(definition), ...questionSources(outline)];
  const byName = new Map(sources.map((source) => [source.key.toLowerCase(), source]));
  const ordered: ComputedValue[] = [];
  const state = new Map<Source, 'open' | 'done'>();
  const add = (source: Source): void => {
    if (state.get(source) === 'done') return;
    if (state.get(source) === 'open')
      throw new NotCompilableError('computed values read each other in a circle');
    state.set(source, 'open');
    for (const name of expressionVariables(source.text)) {
      const dependency = byName.get(name);
      if (dependency !== undefined) add(dependency);
    }
    state.set(source, 'done');
    const expression = mustCompile(source.text, known);
    const compute: Expression = (values) => toAnswer(expression(values), source.precision);
    ordered.push({ key: source.key, question: source.question, isResult: source.isResult, compute });
  };
  for (const source of sources) add(source);
  return ordered;
}

/** Computes all of them into `values`, in order. */
export function computeInto(values: ExpressionValues, computed: readonly ComputedValue[]): void {
  for (const { key, compute } of computed) {
    const value = compute(values);
    if (isEmptyAnswer(value)) delete values[key];
    else values[key] = value;
  }
}

interface Source {
  key: string;
  text: string;
  question: number;
  isResult: boolean;
  precision: number;
}

function calculatedSources(definition: FormDefinition): Source[] {
  return readObjects(definition, 'calculatedValues').flatMap((value) => {
    const text = readText(value, 'expression');
    if (text === undefined) return [];
    const isResult = readFlag(value, 'includeIntoResult');
    return [{ key: elementName(value), text, question: -1, isResult, precision: -1 }];
  });
}

function questionSources(outline: FormOutline): Source[] {
  return outline.questions.flatMap(({ element, key, type }, question) => {
    const text = type === 'expression' ? readText(element, 'expression') : undefined;
    if (text === undefined) return [];
    return [{ key, text, question, isResult: true, precision: precisionOf(element) }];
  });
}

function precisionOf(element: JsonObject): number {
  const precision = readNumber(element, 'precision') ?? -1;
  return Math.min(precision, 20);
}

/** A result as survey-core stores it: no infinity, rounded to the precision, a date as text. */
function toAnswer(result: unknown, precision: number): unknown {
  if (result === Number.POSITIVE_INFINITY || Number.isNaN(result)) return undefined;
  const value: unknown = Helpers.convertValToQuestionVal(result);
  if (typeof value === 'string' && value.length > MAX_COMPUTED_CHARS) return undefined;
  if (precision < 0 || typeof value !== 'number') return value;
  return Number(value.toFixed(Math.trunc(precision)));
}
