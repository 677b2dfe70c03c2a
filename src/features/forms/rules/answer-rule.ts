/**
 * Rules that hold while a question is visible and can be edited: required, bounds, numbers of choices, validators.
 * They depend on the other answers through expressions. Order and emptiness follow survey-core: validators run only
 * when everything else holds, and an expression validator runs for a missing answer too.
 */

import { Helpers } from 'survey-core';
import { compileSelectionRules } from './choice-rule.ts';
import {
  elementType,
  isEmptyAnswer,
  type JsonObject,
  read,
  readFlag,
  readNumber,
  readText,
} from './definition.ts';
import { compileCondition, type Expression, type ExpressionValues, mustCompile } from './expressions.ts';
import { normalInputType } from './input-types.ts';
import { compileValidators } from './validators.ts';

/** Says what is wrong with an answer (undefined when missing), or null. */
export type AnswerRule = (value: unknown, values: ExpressionValues) => string | null;

/** Finds every fault of an answer; empty when it is right. */
export type AnswerCheck = (value: unknown, values: ExpressionValues) => string[];

/** Compiles the rules of one question or text item; throws NotCompilableError on an expression that needs more. */
export function compileAnswerCheck(element: JsonObject, known: ReadonlySet<string>): AnswerCheck {
  const basic = [
    ...requiredRules(element, known),
    ...boundRules(element, known),
    ...compileSelectionRules(element, known),
  ];
  const validators = compileValidators(element, known);
  return (value, values) => {
    const faults = collect(basic, value, values);
    return faults.length > 0 ? faults : collect(validators, value, values);
  };
}

const NO_FAULTS: string[] = [];

function collect(rules: readonly AnswerRule[], value: unknown, values: ExpressionValues): string[] {
  let faults = NO_FAULTS;
  for (const rule of rules) {
    const fault = rule(value, values);
    if (fault !== null) faults = [...faults, fault];
  }
  return faults;
}

/** `requiredIf` overrides `isRequired`, as in survey-core. */
function requiredRules(element: JsonObject, known: ReadonlySet<string>): AnswerRule[] {
  const condition = compileCondition(element, 'requiredIf', known);
  if (condition === undefined && !readFlag(element, 'isRequired')) return [];
  const message = readText(element, 'requiredErrorText') ?? 'is required';
  return [(value, values) => (isEmptyAnswer(value) && (condition?.(values) ?? true) ? message : null)];
}

/** The input types that have bounds, and how two of their values compare. */
const BOUND_TYPES: Readonly<Record<string, (text: unknown) => unknown>> = {
  number: Number,
  range: Number,
  date: (value) => Date.parse(String(value)),
  'datetime-local': (value) => Date.parse(String(value)),
  month: (value) => value,
  time: (value) => value,
  week: (value) => value,
};

function boundRules(element: JsonObject, known: ReadonlySet<string>): AnswerRule[] {
  const type = normalInputType(readText(element, 'inputType'));
  const toComparable = elementType(element) === 'text' ? BOUND_TYPES[type] : undefined;
  if (toComparable === undefined) return [];
  const min = boundOf(element, 'min', type, known);
  const max = boundOf(element, 'max', type, known);
  const step = type === 'number' ? readNumber(element, 'step') : undefined;
  const rules: AnswerRule[] = [];
  const bounded = (
    bound: Expression,
    fault: (value: unknown, bound: unknown) => string | null,
  ): AnswerRule => {
    return (value, values) => {
      const limit = bound(values);
      return isEmptyAnswer(limit) || isEmptyAnswer(value) ? null : fault(value, limit);
    };
  };
  if (min !== undefined) {
    rules.push(
      bounded(min, (value, limit) =>
        isLess(toComparable(value), toComparable(limit)) ? `must be at least ${limit}` : null,
      ),
    );
  }
  if (max !== undefined) {
    rules.push(
      bounded(max, (value, limit) =>
        isLess(toComparable(limit), toComparable(value)) ? `must be at most ${limit}` : null,
      ),
    );
  }
  if (step !== undefined && step > 0) {
    rules.push((value) =>
      isEmptyAnswer(value) || isMultiple(Number(value), step) ? null : `must be a multiple of ${step}`,
    );
  }
  return rules;
}

/** A bound is a value, or an expression: in `minValueExpression`, or after `=` in `min`. */
function boundOf(
  element: JsonObject,
  property: 'min' | 'max',
  type: string,
  known: ReadonlySet<string>,
): Expression | undefined {
  const value = read(element, property);
  const isInline = typeof value === 'string' && value.startsWith('=');
  const text = readText(element, `${property}ValueExpression`) ?? (isInline ? value.slice(1) : undefined);
  if (text !== undefined && text !== '') {
    const expression = mustCompile(text, known);
    return (values) => {
      const limit: unknown = Helpers.convertValToQuestionVal(expression(values), type);
      return typeof limit === 'object' ? undefined : limit;
    };
  }
  return isEmptyAnswer(value) ? undefined : () => value;
}

/** JavaScript's own comparison: of two texts by character, else as numbers. */
function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  return Number(left) < Number(right);
}

/** Whether a number is a whole multiple of a step, to six decimals: 0.3 is three times 0.1. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}
