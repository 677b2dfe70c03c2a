import { Helpers } from 'survey-core';
import { isEmptyAnswer, isObject, Part } from '../definition.ts';
import type { ExpressionCompiler } from '../expression-compiler.ts';
import type { ExpressionValues } from '../expressions.ts';
import { fault } from '../fault.ts';
import type { AnswerRule, ElementType } from './element-type.ts';
import { inputTypeOf } from './input-types.ts';
import { findLengthFault, scalar } from './shapes.ts';

/** A line of text, or the value of an `<input>` of another type. */
export const text: ElementType = {
  findObstacle(element) {
    const mask = element.read('maskSettings');
    return isObject(mask) && new Part(mask).flag('saveMaskedValue') ? 'saveMaskedValue' : null;
  },
  compileShape(element, { form }) {
    const input = inputTypeOf(inputTypeName(element));
    if ((element.text('maskType') ?? 'none') !== 'none')
      return scalar((value) =>
        typeof value === 'boolean' ? fault('must be a text or number', 'text') : null,
      );
    const limit = input.hasLength ? lengthLimit(element, form) : undefined;
    return scalar((value) => input.findFault(value) ?? findLengthFault(value, limit));
  },
  compileRules: (element, expressions) => [...boundRules(element, expressions), ...stepRules(element)],
};

/** Several lines of text. */
export const comment: ElementType = {
  findObstacle: () => null,
  compileShape(element, { form }) {
    const limit = lengthLimit(element, form);
    return scalar((value) =>
      typeof value === 'string' ? findLengthFault(value, limit) : fault('must be a string', 'text'),
    );
  },
};

/**
 * Returns the length limit of an element's text: its own `maxLength`, otherwise the form's; undefined if there is
 * none.
 */
function lengthLimit(element: Part, form: Part): number | undefined {
  const own = element.number('maxLength') ?? -1;
  return own >= 0 ? element.positive('maxLength') : form.positive('maxTextLength');
}

/** In survey-core's spelling. */
function inputTypeName(element: Part): string {
  const name = (element.text('inputType') ?? 'text').toLowerCase();
  return name === 'datetime' || name === 'datetime_local' ? 'datetime-local' : name;
}

/** Messages for a value outside its limits. */
const NUMBERS = ['tooSmall', 'tooLarge'] as const;
const MOMENTS = ['tooEarly', 'tooLate'] as const;

function boundRules(element: Part, expressions: ExpressionCompiler): AnswerRule[] {
  const { toComparable } = inputTypeOf(inputTypeName(element));
  const [below, above] = toComparable === Number ? NUMBERS : MOMENTS;
  if (toComparable === undefined) return [];
  return (['min', 'max'] as const).flatMap((property) => {
    const bound = compileBound(element, property, expressions);
    if (bound === undefined) return [];
    const rule: AnswerRule = (value, values) => {
      const limit = bound(values);
      if (isEmptyAnswer(limit) || isEmptyAnswer(value)) return null;
      const [one, other] = [toComparable(value), toComparable(limit)];
      if (property === 'min')
        return isLess(one, other) ? fault(`must be at least ${limit}`, below, { limit }) : null;
      return isLess(other, one) ? fault(`must be at most ${limit}`, above, { limit }) : null;
    };
    return [rule];
  });
}

/** Compiles a limit: a value or an expression, in `minValueExpression` or after `=` in `min`. */
function compileBound(
  element: Part,
  property: string,
  expressions: ExpressionCompiler,
): ((values: ExpressionValues) => unknown) | undefined {
  const value = element.read(property);
  const source = element.text(`${property}ValueExpression`) ?? element.inlineExpression(property);
  if (!source) return isEmptyAnswer(value) ? undefined : () => value;
  const expression = expressions.compile(source);
  const type = inputTypeName(element);
  return (values) => {
    const limit: unknown = Helpers.convertValToQuestionVal(expression(values), type);
    return typeof limit === 'object' ? undefined : limit;
  };
}

/** Compares like JavaScript: two texts by character, otherwise as numbers. */
function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  return Number(left) < Number(right);
}

/** Compares to six decimals, since 0.3 is not exactly three times 0.1. */
function stepRules(element: Part): AnswerRule[] {
  const step = element.positive('step');
  if (step === undefined || inputTypeName(element) !== 'number') return [];
  return [
    (value) => {
      const quotient = Number(value) / step;
      const isMultiple = Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
      return isEmptyAnswer(value) || isMultiple
        ? null
        : fault(`must be a multiple of ${step}`, 'offStep', { step });
    },
  ];
}
