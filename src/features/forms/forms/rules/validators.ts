/**
 * Validators of an element. Patterns are checked with the shape instead, in linear time: survey-core would run them as
 * a backtracking RegExp.
 */

import { Helpers } from 'survey-core';
import { isEmptyAnswer, type Part } from './definition.ts';
import type { AnswerRule } from './elements/element-type.ts';
import { isEmail } from './elements/input-types.ts';
import { type AnswerShape, findCountFault } from './elements/shapes.ts';
import { isTrueLoosely } from './expressions.ts';
import { ADDRESS_FAULT, customFault, fault } from './fault.ts';
import type { FormExpressions } from './form-expressions.ts';

/** Compiles the blocking validators of an element, without patterns. */
export function compileValidators(element: Part, expressions: FormExpressions): AnswerRule[] {
  return blockingValidators(element).flatMap((validator) => {
    const rule = RULES.get(kindOf(validator))?.(validator, expressions);
    const custom = customFault(validator, 'text');
    if (rule === undefined || custom === undefined) return rule ?? [];
    return (value, values) => (rule(value, values) === null ? null : custom);
  });
}

/** Adds the element's patterns to a shape. Patterns apply to texts; the shape itself checks objects. */
export function withPatterns(shape: AnswerShape, element: Part): AnswerShape {
  const patterns = blockingValidators(element).flatMap((validator) => {
    const pattern = kindOf(validator) === 'regex' ? validator.text('regex') : undefined;
    if (pattern === undefined) return [];
    const ignoreCase = ignoresCase(validator);
    const violation =
      customFault(validator, 'text') ?? fault('does not have the required format', 'wrongFormat');
    return [{ pattern, ignoreCase, violation }];
  });
  if (patterns.length === 0) return shape;
  return (value, field, found) => {
    shape(value, field, found);
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (typeof entry === 'object') continue;
      const text = String(entry);
      for (const { pattern, ignoreCase, violation } of patterns) {
        const isMatch = found.patterns.test(pattern, ignoreCase, text, field);
        if (isMatch === undefined) found.add(field, fault('takes too long to check', 'unchecked'));
        else if (!isMatch) found.add(field, violation);
      }
    }
  };
}

/** Returns true if the pattern of a validator ignores case. */
export function ignoresCase(validator: Part): boolean {
  return validator.flag('caseInsensitive', 'insensitive');
}

/** Returns the type without the suffix `validator`, which survey-core also accepts. */
function kindOf(validator: Part): string {
  return validator.type.replace(/validator$/, '');
}

/** Leaves out warnings and notes, which only inform the visitor. */
function blockingValidators(element: Part): Part[] {
  const nonBlocking = ['warning', 'info'];
  return element
    .parts('validators')
    .filter((validator) => !nonBlocking.includes(validator.text('notificationType') ?? ''));
}

type RuleCompiler = (validator: Part, expressions: FormExpressions) => AnswerRule | undefined;

const RULES: ReadonlyMap<string, RuleCompiler> = new Map<string, RuleCompiler>([
  ['email', () => (value) => (!value || isEmail(String(value)) ? null : ADDRESS_FAULT)],
  ['numeric', numericRule],
  ['text', textRule],
  ['answercount', answerCountRule],
  ['expression', expressionRule],
]);

function numericRule(validator: Part): AnswerRule {
  const min = validator.number('minValue') ?? Number.NEGATIVE_INFINITY;
  const max = validator.number('maxValue') ?? Number.POSITIVE_INFINITY;
  return (value) => {
    if (isEmptyAnswer(value)) return null;
    if (!Helpers.isNumber(value)) return fault('must be a number', 'number');
    if (Number(value) < min) return fault(`must be at least ${min}`, 'tooSmall', { limit: min });
    return Number(value) > max ? fault(`must be at most ${max}`, 'tooLarge', { limit: max }) : null;
  };
}

/** `allowDigits: false` only refuses a text that ends with a digit, as in survey-core. */
function textRule(validator: Part): AnswerRule {
  const bounds = { min: validator.positive('minLength'), max: validator.positive('maxLength') };
  const allowsDigits = validator.read('allowDigits') !== false;
  return (value) => {
    if (isEmptyAnswer(value)) return null;
    if (!allowsDigits && /[0-9]/.test(String(value).slice(-1)))
      return fault('must not contain digits', 'digits');
    const hasLength = typeof value === 'string' || Array.isArray(value);
    return hasLength ? findCountFault(value.length, bounds, 'characters') : null;
  };
}

function answerCountRule(validator: Part): AnswerRule {
  const bounds = { min: validator.positive('minCount'), max: validator.positive('maxCount') };
  return (value) =>
    Array.isArray(value) && value.length > 0 ? findCountFault(value.length, bounds, 'entries') : null;
}

function expressionRule(validator: Part, expressions: FormExpressions): AnswerRule | undefined {
  const condition = expressions.condition(validator, 'expression', { isMet: isTrueLoosely });
  if (condition === undefined) return undefined;
  const violation = fault('does not satisfy a condition of the form', 'condition');
  return (_, values) => (condition(values) ? null : violation);
}
