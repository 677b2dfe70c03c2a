/** Validates values of fields, from bodies and defaults, and converts them for the database. */

import { isWrittenNumber } from '../../../db/written-json.ts';
import { type PatternMatches, TOO_SLOW } from '../../../patterns/pattern-matches.ts';
import { isDate, readTime, toUuid } from '../../../resources/filter-values.ts';
import type { StoredField } from './stored-field.ts';

/** A value as stored in the database, or an error message. */
export type ReadResult = { readonly value: unknown } | { readonly message: string };

/** Checks texts against patterns; `field` is the name of the value in issues. */
export interface Matching {
  readonly patterns: PatternMatches;
  readonly field: string;
}

/** Message for a number with more digits than a double can represent. */
export const ROUNDED = 'has too many digits for a number; send fewer, or define the field as a string';

/** Validates and converts a JSON value. Without `matching` patterns are not checked. */
export type Reader = (value: unknown, matching?: Matching) => ReadResult;

/** Properties of a field that its values are validated against. */
export type ValueRules = Pick<StoredField, 'type' | 'enum' | 'min' | 'max' | 'pattern' | 'refersTo'>;

/** Returns the reader of a field's values. Null is handled by the caller. */
export function readerOf(rules: ValueRules): Reader {
  switch (rules.type) {
    case 'string':
    case 'text':
      return textReader(rules);
    case 'integer':
      return numberReader(
        rules,
        (value) => Number.isSafeInteger(value),
        'must be an integer within ±(2^53-1)',
      );
    case 'number':
      return numberReader(rules, Number.isFinite, 'must be a number');
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? { value } : { message: 'must be true or false' });
    case 'date':
      return ofText((text) => (isDate(text) ? text : undefined), 'must be a date such as 2026-11-21');
    case 'datetime':
      return ofText(readTime, 'must be an ISO 8601 date and time');
    case 'uuid':
      return ofText(toUuid, 'must be a UUID');
    case 'relation':
      return ofText(toUuid, `must be the id of a record of ${rules.refersTo}`);
    case 'enum':
      return enumReader(rules);
    case 'json':
      return readJson;
  }
}

/** Accepts any text. */
export const readText: Reader = ofText((text) => text, 'must be a string');

function ofText(read: (text: string) => string | undefined, message: string): Reader {
  return (input) => {
    const value = typeof input === 'string' ? read(input) : undefined;
    return value === undefined ? { message } : { value };
  };
}

/** Returns the error message for a text that does not match the pattern. */
export function patternFault(pattern: string): string {
  return `must match the pattern ${pattern}`;
}

function textReader({ min, max, pattern }: ValueRules): Reader {
  return (value, matching) => {
    if (typeof value !== 'string') return { message: 'must be a string' };
    if (min !== null && isShorter(value, min)) return { message: `must have at least ${min} characters` };
    if (max !== null && isShorter(value, max + 1) === false)
      return { message: `must have at most ${max} characters` };
    if (pattern === null || matching === undefined) return { value };
    const isMatch = matching.patterns.test(pattern, false, value, matching.field);
    if (isMatch === undefined) return { message: TOO_SLOW };
    return isMatch ? { value } : { message: patternFault(pattern) };
  };
}

/** Returns true if a text has fewer than `count` code points, which are PostgreSQL's characters. */
function isShorter(text: string, count: number): boolean {
  if (text.length < count) return true;
  // A code point has one or two UTF-16 units.
  if (text.length >= count * 2) return false;
  let characters = 0;
  for (const _character of text) characters += 1;
  return characters < count;
}

function numberReader(
  { min, max }: ValueRules,
  isValid: (value: unknown) => boolean,
  message: string,
): Reader {
  return (value) => {
    if (typeof value !== 'number' || !isValid(value)) return { message };
    if (min !== null && value < min) return { message: `must be at least ${min}` };
    if (max !== null && value > max) return { message: `must be at most ${max}` };
    return { value };
  };
}

function enumReader({ enum: values }: ValueRules): Reader {
  const allowed = new Set<unknown>(values);
  const message = `must be one of ${(values ?? []).join(', ')}`;
  return (value) => (allowed.has(value) ? { value } : { message });
}

/** Converts to JSON text. A number that JSON cannot represent would be stored as null, so it is refused. */
function readJson(value: unknown): ReadResult {
  let isValid = true;
  const text = JSON.stringify(value, (_key, each: unknown) => {
    const number: unknown = isWrittenNumber(each) ? Number(each.rawJSON) : each;
    if (typeof number === 'number' && !Number.isFinite(number)) isValid = false;
    return each;
  });
  return isValid ? { value: text } : { message: 'contains a number that is too large' };
}
