/** The values of fields, as bodies and defaults give them: what checks them and hands them to the database. */

import { isWrittenNumber } from '../../../db/written-json.ts';
import { type PatternMatches, TOO_SLOW } from '../../../patterns/pattern-matches.ts';
import { isDate, readTime, toUuid } from '../../../resources/filter-values.ts';
import type { StoredField } from './models.ts';

/** A value as the database takes it, or what is wrong with it. */
export type Read = { readonly value: unknown } | { readonly message: string };

/** How values are matched against patterns: `field` names the value in errors. Without it patterns are not looked at. */
export interface Matching {
  readonly patterns: PatternMatches;
  readonly field: string;
}

/** Reads a value of JSON. */
export type Reader = (value: unknown, matching?: Matching) => Read;

/** What of a field its values are read by. */
export type ValueRules = Pick<StoredField, 'type' | 'enum' | 'min' | 'max' | 'pattern' | 'refersTo'>;

/** What reads the values of a field that are not null. */
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

/** What reads any text. */
export const readText: Reader = ofText((text) => text, 'must be a string');

function ofText(read: (text: string) => string | undefined, message: string): Reader {
  return (given) => {
    const value = typeof given === 'string' ? read(given) : undefined;
    return value === undefined ? { message } : { value };
  };
}

/** The fault of a text that does not match its field's pattern. */
export function patternFault(pattern: string): string {
  return `must match the pattern ${pattern}`;
}

function textReader({ min, max, pattern }: ValueRules): Reader {
  return (value, matching) => {
    if (typeof value !== 'string') return { message: 'must be a string' };
    if (min !== null && isShorter(value, min)) return { message: `must have at least ${min} characters` };
    if (max !== null && isShorter(value, max + 1) === false)
      return { message: `must not have more than ${max} characters` };
    if (pattern === null || matching === undefined) return { value };
    const isMatch = matching.patterns.test(pattern, false, value, matching.field);
    if (isMatch === undefined) return { message: TOO_SLOW };
    return isMatch ? { value } : { message: patternFault(pattern) };
  };
}

/** Whether a text has fewer than `count` characters, as PostgreSQL counts them: code points. */
function isShorter(text: string, count: number): boolean {
  if (text.length < count) return true;
  // A character has one or two units.
  if (text.length >= count * 2) return false;
  let characters = 0;
  for (const _character of text) characters += 1;
  return characters < count;
}

function numberReader({ min, max }: ValueRules, isOne: (value: unknown) => boolean, message: string): Reader {
  return (value) => {
    if (typeof value !== 'number' || !isOne(value)) return { message };
    if (min !== null && value < min) return { message: `must not be less than ${min}` };
    if (max !== null && value > max) return { message: `must not be more than ${max}` };
    return { value };
  };
}

function enumReader({ enum: values }: ValueRules): Reader {
  const known = new Set<unknown>(values);
  const message = `must be one of ${(values ?? []).join(', ')}`;
  return (value) => (known.has(value) ? { value } : { message });
}

/** As text, which the database keeps. What JSON has no word for would become null there. */
function readJson(value: unknown): Read {
  let isWhole = true;
  const text = JSON.stringify(value, (_key, each: unknown) => {
    const number: unknown = isWrittenNumber(each) ? Number(each.rawJSON) : each;
    if (typeof number === 'number' && !Number.isFinite(number)) isWhole = false;
    return each;
  });
  return isWhole ? { value: text } : { message: 'holds a number that is too large' };
}
