/** What answers look like whatever the state of the form, and the shapes that types of elements are made of. */

import type { PatternMatches } from '../../../../../patterns/pattern-matches.ts';
import { isEmptyAnswer, isObject, type Part } from '../definition.ts';
import { type Fault, type FoundFault, fault } from '../fault.ts';
import type { SentenceCode } from '../sentences/index.ts';

/** Rows, panels or files of one answer; 20,000 rows keep the full model busy for 10 seconds. */
const MAX_ENTRIES = 500;
/** One text. */
const MAX_TEXT_CHARS = 100_000;
/** A drawing or an unknown element's answer as text. */
const MAX_OPAQUE_CHARS = 2_000_000;

/** What looking at the shapes of one submission's answers finds and may still take. */
export class Findings {
  /** The faults of the answer at hand. */
  faults: FoundFault[] = [];
  /** How the texts match patterns, as far as it is known. */
  readonly patterns: PatternMatches;

  constructor(patterns: PatternMatches) {
    this.patterns = patterns;
  }

  /** Notes a fault; `field` is the path of what has it. */
  add(field: string, fault: Fault): void {
    this.faults.push({ field, fault });
  }
}

/** Notes each fault of a non-empty answer; `field` is the answer's path. Never throws on any JSON. */
export type AnswerShape = (value: unknown, field: string, found: Findings) => void;

/** What the shape of an element depends on beside itself. */
export interface ShapeContext {
  readonly form: Part;
  /** The shape of an element inside of this one. */
  shapeOf(element: Part): AnswerShape;
  /** The shapes of the answers of elements that lie in one object, by their keys. */
  membersOf(elements: readonly Part[]): Map<string, AnswerShape>;
}

/** What bounds a count, both inclusive; undefined is no bound. */
interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** What is counted, with what is said of too few and too many. */
const COUNTED = {
  characters: ['fewCharacters', 'manyCharacters'],
  entries: ['fewEntries', 'manyEntries'],
  choices: ['fewChoices', 'manyChoices'],
} as const satisfies Record<string, readonly [SentenceCode, SentenceCode]>;

/** Says that there are too few or too many of something, or null. */
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

/** Says that a text is longer than `limit`, which is undefined where a form sets none, or than any text may be. */
export function findLengthFault(value: unknown, limit = MAX_TEXT_CHARS): Fault | null {
  return findCountFault(String(value).length, { max: Math.min(limit, MAX_TEXT_CHARS) }, 'characters');
}

/** A scalar in which `findFault` finds nothing. */
export function scalar(findFault: (value: unknown) => Fault | null): AnswerShape {
  return (value, field, found) => {
    const broken =
      typeof value === 'object' ? fault('must be a single value', 'malformed') : findFault(value);
    if (broken !== null) found.add(field, broken);
  };
}

/** Anything of a sensible size; for elements whose answers only the full model knows. */
export const opaque: AnswerShape = (value, field, found) => {
  if (typeof value === 'string' && value.length > MAX_OPAQUE_CHARS)
    found.add(field, fault('is too long', 'tooLong'));
};

/** A comment beside an answer: a text within the form's `maxCommentLength`. */
export function commentShape(form: Part): AnswerShape {
  const max = form.positive('maxCommentLength', 'maxOthersLength');
  return (value, field, found) => {
    const broken =
      typeof value === 'string'
        ? findCountFault(value.length, { max }, 'characters')
        : fault('must be a text', 'text');
    if (broken !== null) found.add(field, broken);
  };
}

/** An object whose keys are all known. */
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

/** A list of which every entry has a shape. */
export function listOf(entryShape: AnswerShape): AnswerShape {
  return (value, field, found) => {
    if (!Array.isArray(value)) return found.add(field, fault('must be a list', 'malformed'));
    const tooMany = findCountFault(value.length, { max: MAX_ENTRIES }, 'entries');
    if (tooMany !== null) return found.add(field, tooMany);
    for (const [index, entry] of value.entries()) entryShape(entry ?? {}, `${field}[${index}]`, found);
  };
}
