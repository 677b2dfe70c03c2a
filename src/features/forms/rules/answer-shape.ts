/**
 * What an answer must look like whatever the state of the form: its JSON type, its input type, its membership in the
 * choices, its length, its pattern. Questions inside of others are covered by `container-shape.ts`.
 */

import type { Issue } from '../../../errors/app-error.ts';
import { compileChoices, scalarKey } from './choice-set.ts';
import {
  elementType,
  isEmptyAnswer,
  isObject,
  itemValue,
  type JsonObject,
  read,
  readFlag,
  readList,
  readNumber,
  readObjects,
  readText,
} from './definition.ts';
import { findInputFault, LENGTH_BOUND_TYPES, normalInputType } from './input-types.ts';
import { type PatternBudget, withPatterns } from './text-patterns.ts';

/** What looking at the shapes of one submission's answers finds and may still take. */
export interface Findings {
  readonly issues: Issue[];
  readonly budget: PatternBudget;
}

/** Adds one issue per fault of a non-empty answer; `field` is the answer's path. Never throws on any JSON. */
export type AnswerShape = (value: unknown, field: string, found: Findings) => void;

/** Says what is wrong with one scalar, or null. */
type ScalarFault = (value: unknown) => string | null;

/** Selections of one answer; keeps comparisons of two lists in expressions affordable. */
const MAX_SELECTIONS = 1000;
/** One text. */
const MAX_TEXT_CHARS = 100_000;
/** A drawing or an unknown element's answer as text. */
const MAX_OPAQUE_CHARS = 2_000_000;

/** The shape of a question without nested questions, or null when its type is none of these. */
export function compileScalarShape(
  element: JsonObject,
  form: JsonObject,
  choices?: readonly unknown[],
): AnswerShape | null {
  const shape = shapeByType(element, form, choices);
  return shape === null ? null : withPatterns(shape, element);
}

function shapeByType(
  element: JsonObject,
  form: JsonObject,
  choices?: readonly unknown[],
): AnswerShape | null {
  switch (elementType(element)) {
    case 'text':
      return scalar(textFault(element, form));
    case 'comment':
      return scalar(commentFault(element, form));
    case 'boolean':
      return scalar(booleanFault(element));
    case 'rating':
      return scalar(ratingFault(element));
    case 'dropdown':
    case 'radiogroup':
    case 'buttongroup':
      return singleChoice(element, form, choices);
    case 'imagepicker':
      return readFlag(element, 'multiSelect')
        ? selection(element, form, choices)
        : singleChoice(element, form, choices);
    case 'imagemap':
      return read(element, 'multiSelect') === false
        ? singleChoice(element, form, readList(element, 'areas'))
        : selection(element, form, readList(element, 'areas'));
    case 'checkbox':
    case 'tagbox':
    case 'ranking':
      return selection(element, form, choices);
    case 'slider':
      return sliderShape(element);
    case 'signaturepad':
      return drawingShape;
    default:
      return null;
  }
}

/** A shape that takes anything of a sensible size; for elements whose answers only the full model knows. */
export const opaqueShape: AnswerShape = (value, field, { issues }) => {
  if (typeof value === 'string' && value.length > MAX_OPAQUE_CHARS)
    issues.push({ field, message: 'is too long' });
};

const drawingShape: AnswerShape = (value, field, { issues }) => {
  if (typeof value !== 'string') issues.push({ field, message: 'must be a drawing as text' });
  else if (value.length > MAX_OPAQUE_CHARS) issues.push({ field, message: 'is too long' });
};

/** A number from `min` (0) to `max` (100), or several. Bounds that are computed or contradict each other count as none. */
function sliderShape(element: JsonObject): AnswerShape {
  const bound = (property: string, usual: number, none: number) =>
    readText(element, `${property}ValueExpression`) === undefined
      ? (readNumber(element, property) ?? usual)
      : none;
  const min = bound('min', 0, Number.NEGATIVE_INFINITY);
  const max = bound('max', 100, Number.POSITIVE_INFINITY);
  const thumb = scalar((value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
    return (value >= min && value <= max) || min >= max ? null : `must be a number from ${min} to ${max}`;
  });
  if (readText(element, 'sliderType') !== 'range') return thumb;
  return (value, field, found) => {
    if (!Array.isArray(value) || value.length > MAX_SELECTIONS)
      found.issues.push({ field, message: 'must be a short list of numbers' });
    else for (const [index, entry] of value.entries()) thumb(entry, `${field}[${index}]`, found);
  };
}

/** A comment beside an answer: a text within the form's `maxCommentLength`. */
export function compileCommentShape(form: JsonObject): AnswerShape {
  const limit = readNumber(form, 'maxCommentLength', 'maxOthersLength') ?? 0;
  return (value, field, { issues }) => {
    if (typeof value !== 'string') issues.push({ field, message: 'must be a text' });
    else if (limit > 0 && value.length > limit)
      issues.push({ field, message: `must have at most ${limit} characters` });
  };
}

/** The shape of one text input: a text question, or an item of a multiple-text question. */
export function compileInputShape(element: JsonObject, form: JsonObject): AnswerShape {
  return withPatterns(scalar(textFault(element, form)), element);
}

function scalar(fault: ScalarFault): AnswerShape {
  return (value, field, { issues }) => {
    const message = typeof value === 'object' ? 'must be a single value' : fault(value);
    if (message !== null) issues.push({ field, message });
  };
}

function textFault(element: JsonObject, form: JsonObject): ScalarFault {
  const type = normalInputType(readText(element, 'inputType'));
  const limit = LENGTH_BOUND_TYPES.has(type) ? lengthLimit(element, form) : 0;
  const hasMask = (readText(element, 'maskType') ?? 'none') !== 'none';
  return (value) => {
    if (hasMask) return typeof value === 'boolean' ? 'must be a text or number' : null;
    return findInputFault(type, value) ?? lengthFault(value, limit);
  };
}

function commentFault(element: JsonObject, form: JsonObject): ScalarFault {
  const limit = lengthLimit(element, form);
  return (value) => (typeof value === 'string' ? lengthFault(value, limit) : 'must be a text');
}

function lengthLimit(element: JsonObject, form: JsonObject): number {
  const own = readNumber(element, 'maxLength') ?? -1;
  return own >= 0 ? own : (readNumber(form, 'maxTextLength') ?? 0);
}

function lengthFault(value: unknown, limit: number): string | null {
  const most = limit > 0 ? Math.min(limit, MAX_TEXT_CHARS) : MAX_TEXT_CHARS;
  return String(value).length > most ? `must have at most ${most} characters` : null;
}

function booleanFault(element: JsonObject): ScalarFault {
  const values = new Set<unknown>([read(element, 'valueTrue') ?? true, read(element, 'valueFalse') ?? false]);
  return (value: unknown) => (values.has(value) ? null : `must be one of ${Array.from(values).join(', ')}`);
}

/** `rateValues` when given, else numbers from `rateMin` (1) to `rateMax` (5) by `rateStep` (1). */
function ratingFault(element: JsonObject): ScalarFault {
  const listed = readList(element, 'rateValues').map((item) => scalarKey(itemValue(item)));
  if (listed.length > 0 && read(element, 'autoGenerate') !== true) {
    const values = new Set(listed);
    return (value) => (values.has(scalarKey(value)) ? null : 'must be one of the rates');
  }
  const { min, max, step } = ratingScale(element);
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
    const steps = (value - min) / step;
    const onStep = Math.abs(steps - Math.round(steps)) < 1e-9;
    return value >= min && value <= max && onStep ? null : `must be a rate from ${min} to ${max}`;
  };
}

function ratingScale(element: JsonObject): { min: number; max: number; step: number } {
  const count = readNumber(element, 'rateCount');
  const step = readNumber(element, 'rateStep') || 1;
  const givenMin = readNumber(element, 'rateMin');
  const givenMax = readNumber(element, 'rateMax');
  if (count !== undefined && givenMax !== undefined && givenMin === undefined) {
    return { min: givenMax - step * (count - 1), max: givenMax, step };
  }
  const min = givenMin ?? 1;
  const max = givenMax ?? (count === undefined ? 5 : min + step * (count - 1));
  return { min, max, step };
}

function singleChoice(element: JsonObject, form: JsonObject, fallback?: readonly unknown[]): AnswerShape {
  const choices = compileChoices(element, form, fallback);
  const shape = scalar((value) =>
    choices.has(value) ? lengthFault(value, 0) : 'must be one of the choices',
  );
  if (!hasCommentBoxes(element)) return shape;
  const commentedShape = compileCommentedShape(form);
  return (value, field, found) => {
    shape(isObject(value) ? read(value, 'value') : value, field, found);
    if (isObject(value)) commentedShape(value, field, found);
  };
}

/** Several choices: a list without repetitions; `none` and the like stand alone. */
function selection(element: JsonObject, form: JsonObject, fallback?: readonly unknown[]): AnswerShape {
  const choices = compileChoices(element, form, fallback);
  const property = readText(element, 'valuePropertyName');
  const hasComments = property === undefined && hasCommentBoxes(element);
  const valueProperty = hasComments ? 'value' : property;
  const commentedShape = compileCommentedShape(form);
  return (value, field, found) => {
    const { issues } = found;
    if (!Array.isArray(value)) {
      issues.push({ field, message: 'must be a list of choices' });
      return;
    }
    if (value.length > MAX_SELECTIONS) {
      issues.push({ field, message: `must have at most ${MAX_SELECTIONS} entries` });
      return;
    }
    const seen = new Set<string>();
    for (const [index, entry] of value.entries()) {
      const at = `${field}[${index}]`;
      const choice = selectedValue(entry, valueProperty);
      if (typeof choice === 'object' || isEmptyAnswer(choice))
        issues.push({ field: at, message: 'must be a single value' });
      else if (!choices.has(choice)) issues.push({ field: at, message: 'must be one of the choices' });
      else if (seen.has(scalarKey(choice))) issues.push({ field: at, message: 'is repeated' });
      else if (value.length > 1 && choices.isExclusive(choice)) {
        issues.push({ field: at, message: 'cannot be combined with other choices' });
      }
      seen.add(typeof choice === 'object' ? '' : scalarKey(choice));
      if (hasComments && isObject(entry)) commentedShape(entry, at, found);
    }
  };
}

/** An entry may be an object: with `valuePropertyName`, or `{value, comment}` of a choice with a comment box. */
function selectedValue(entry: unknown, valueProperty: string | undefined): unknown {
  return isObject(entry) && valueProperty !== undefined ? read(entry, valueProperty) : entry;
}

/** What stands beside the choice in `{value, comment}`. */
function compileCommentedShape(
  form: JsonObject,
): (commented: JsonObject, field: string, found: Findings) => void {
  const comment = compileCommentShape(form);
  return (commented, field, found) => {
    for (const [key, part] of Object.entries(commented)) {
      if (key === 'comment') comment(part, `${field}.comment`, found);
      else if (key !== 'value')
        found.issues.push({ field: `${field}.${key}`, message: 'is not part of this question' });
    }
  };
}

/** Whether some choice has a comment box of its own, apart from `other`. */
function hasCommentBoxes(element: JsonObject): boolean {
  return readObjects(element, 'choices').some((choice) => readFlag(choice, 'showCommentArea'));
}
