/** Shapes: the structure of an answer, independent of other answers. Element types combine the shapes below. */

import type { PatternMatches } from '../../../../../patterns/pattern-matches.ts';
import { isEmptyAnswer, isObject, type Part } from '../definition.ts';
import { type Fault, type FoundFault, fault } from '../fault.ts';
import type { MessageCode } from '../visitor-messages/message-codes.ts';

/** Maximum rows, panels or files per answer; 20,000 rows keep the full model busy for 10 seconds. */
const MAX_ENTRIES = 500;
/** Maximum characters of a text. */
const MAX_TEXT_CHARS = 100_000;
/** Maximum characters of a drawing or of the answer to an unknown element. */
const MAX_OPAQUE_CHARS = 2_000_000;

/** Results of checking the shapes of a submission. */
export class Findings {
  /** Faults of the current answer. */
  faults: FoundFault[] = [];
  /** Results of matching texts against patterns, as far as they are known. */
  readonly patterns: PatternMatches;

  constructor(patterns: PatternMatches) {
    this.patterns = patterns;
  }

  /** Adds a fault; `field` is the path of the answer. */
  add(field: string, fault: Fault): void {
    this.faults.push({ field, fault });
  }
}

/** Adds each fault of a non-empty answer; `field` is the answer's path. Never throws on any JSON. */
export type AnswerShape = (value: unknown, field: string, found: Findings) => void;

/** Context of an element's shape. */
export interface ShapeContext {
  readonly form: Part;
  /** Returns the shape of an element inside this one. */
  shapeOf(element: Part): AnswerShape;
  /** Returns the shapes of elements whose answers are in one object, by key. */
  membersOf(elements: readonly Part[]): Map<string, AnswerShape>;
}

/** Inclusive limits of a number; undefined means no limit. */
interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Messages for too few and too many of something. */
const COUNTED = {
  characters: ['fewCharacters', 'manyCharacters'],
  entries: ['fewEntries', 'manyEntries'],
  choices: ['fewChoices', 'manyChoices'],
} as const satisfies Record<string, readonly [MessageCode, MessageCode]>;

/** Returns the fault for too few or too many of something, or null. */
export function findCountFault(
  count: number,
  { min, max }: Bounds,
  noun: keyof typeof COUNTED,
): Fault | null {
  const [few, many] = COUNTED[noun];
  if (min !== undefined && count < min)
    return fault(`must have at least ${min} ${noun}`, few, { limit: min });
  return max !== undefined && count > max
    ? fault(`must have at most ${max} ${noun}`, many, { limit: max })
    : null;
}

/**
 * Returns the fault of a text that is longer than `limit` or than any text may be. An undefined `limit` means that the
 * form has none.
 */
export function findLengthFault(value: unknown, limit = MAX_TEXT_CHARS): Fault | null {
  return findCountFault(String(value).length, { max: Math.min(limit, MAX_TEXT_CHARS) }, 'characters');
}

/** Shape of a single value. `findFault` returns its fault, or null. */
export function scalar(findFault: (value: unknown) => Fault | null): AnswerShape {
  return (value, field, found) => {
    const violation =
      typeof value === 'object' ? fault('must be a single value', 'malformed') : findFault(value);
    if (violation !== null) found.add(field, violation);
  };
}

/** Anything of limited size, for elements whose answers only the full model can check. */
export const opaque: AnswerShape = (value, field, found) => {
  if (typeof value === 'string' && value.length > MAX_OPAQUE_CHARS)
    found.add(field, fault('is too long', 'tooLong'));
};

/** A comment on an answer: a text within the form's `maxCommentLength`. */
export function commentShape(form: Part): AnswerShape {
  const max = form.positive('maxCommentLength', 'maxOthersLength');
  return (value, field, found) => {
    const violation =
      typeof value === 'string'
        ? findCountFault(value.length, { max }, 'characters')
        : fault('must be a string', 'text');
    if (violation !== null) found.add(field, violation);
  };
}

/** An object with only known keys. */
export function record(members: ReadonlyMap<string, AnswerShape>): AnswerShape {
  return (value, field, found) => {
    if (!isObject(value)) return found.add(field, fault('must be an object', 'malformed'));
    for (const [key, entry] of Object.entries(value)) {
      const shape = members.get(key);
      if (shape === undefined)
        found.add(`${field}.${key}`, fault('is not part of this question', 'unknownQuestion'));
      else if (!isEmptyAnswer(entry)) shape(entry, `${field}.${key}`, found);
    }
  };
}

/** A list of entries of one shape. */
export function listOf(entryShape: AnswerShape): AnswerShape {
  return (value, field, found) => {
    if (!Array.isArray(value)) return found.add(field, fault('must be a list', 'malformed'));
    const tooMany = findCountFault(value.length, { max: MAX_ENTRIES }, 'entries');
    if (tooMany !== null) return found.add(field, tooMany);
    for (const [index, entry] of value.entries()) entryShape(entry ?? {}, `${field}[${index}]`, found);
  };
}
