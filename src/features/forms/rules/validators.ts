import { Helpers } from 'survey-core';
import type { AnswerRule } from './answer-rule.ts';
import { isEmptyAnswer, type JsonObject, read, readNumber, readObjects, readText } from './definition.ts';
import { isTrueLoosely, mustCompile } from './expressions.ts';
import { isEmail } from './input-types.ts';

/** The blocking validators of an element. Regex ones are part of its shape, which runs them in linear time. */
export function compileValidators(element: JsonObject, known: ReadonlySet<string>): AnswerRule[] {
  return readObjects(element, 'validators')
    .filter(isBlocking)
    .flatMap((validator) => {
      const rule = validatorRule(validator, known);
      return rule === null ? [] : [rule];
    });
}

function validatorRule(validator: JsonObject, known: ReadonlySet<string>): AnswerRule | null {
  const text = readText(validator, 'text');
  switch ((readText(validator, 'type') ?? '').replace(/validator$/, '')) {
    case 'email':
      return (value) => (!value || isEmail(String(value)) ? null : (text ?? 'must be an e-mail address'));
    case 'numeric':
      return numericRule(validator, text);
    case 'text':
      return textRule(validator, text);
    case 'answercount':
      return answerCountRule(validator, text);
    case 'expression': {
      const source = readText(validator, 'expression');
      if (source === undefined) return null;
      const expression = mustCompile(source, known);
      return (_, values) =>
        isTrueLoosely(expression(values)) ? null : (text ?? 'does not satisfy a condition of the form');
    }
    default:
      return null;
  }
}

function numericRule(validator: JsonObject, text: string | undefined): AnswerRule {
  const min = readNumber(validator, 'minValue');
  const max = readNumber(validator, 'maxValue');
  return (value) => {
    if (isEmptyAnswer(value)) return null;
    if (!Helpers.isNumber(value)) return text ?? 'must be a number';
    const number = Number(value);
    if (min !== undefined && number < min) return text ?? `must be at least ${min}`;
    return max !== undefined && number > max ? (text ?? `must be at most ${max}`) : null;
  };
}

/** `allowDigits: false` refuses a text that ends in a digit, which is how survey-core reads it. */
function textRule(validator: JsonObject, text: string | undefined): AnswerRule {
  const min = readNumber(validator, 'minLength') ?? 0;
  const max = readNumber(validator, 'maxLength') ?? 0;
  const allowsDigits = read(validator, 'allowDigits') !== false;
  return (value) => {
    if (isEmptyAnswer(value)) return null;
    const length = typeof value === 'string' || Array.isArray(value) ? value.length : undefined;
    if (!allowsDigits && /[0-9]/.test(String(value).at(-1) ?? '')) return text ?? 'must not contain digits';
    if (length === undefined) return null;
    if (min > 0 && length < min) return text ?? `must have at least ${min} characters`;
    return max > 0 && length > max ? (text ?? `must have at most ${max} characters`) : null;
  };
}

function answerCountRule(validator: JsonObject, text: string | undefined): AnswerRule {
  const min = readNumber(validator, 'minCount') ?? 0;
  const max = readNumber(validator, 'maxCount') ?? 0;
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return null;
    if (min > 0 && value.length < min) return text ?? `must have at least ${min} entries`;
    return max > 0 && value.length > max ? (text ?? `must have at most ${max} entries`) : null;
  };
}

/** Whether a failing validator blocks: warnings and remarks are for the reader of the form alone. */
export function isBlocking(validator: JsonObject): boolean {
  const kind = readText(validator, 'notificationType');
  return kind !== 'warning' && kind !== 'info';
}
