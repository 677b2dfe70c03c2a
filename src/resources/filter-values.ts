/** Operands of filter operations: their types, and how they are read from a request. */
import { NIL } from 'uuid';
import { isUuid } from './keys.ts';

/**
 * The type of a filtered column. `id` is a UUID compared with any text: a text that is not a UUID matches nothing. A
 * `uuid` accepts only UUIDs.
 */
export type FilterType = 'text' | 'boolean' | 'number' | 'integer' | 'time' | 'date' | 'id' | 'uuid' | 'json';

/** The operand of an operation; a value for an operation without operand is ignored. */
export type Operand = 'nothing' | 'text' | 'value' | 'last value' | 'value or null' | 'two values' | 'values';

/** Maximum number of values of one operand. */
const MAX_VALUES = 1000;

/** Maximum length of the text of `like` and `nlike`: it is compared at every position of every row's value. */
const MAX_LIKE_CHARS = 1000;

/** Types that `like` and `nlike` can search; dates and times are compared as ISO text. */
const LIKE_TYPES: readonly FilterType[] = ['text', 'time', 'date'];

/** Descriptions of valid values. */
const EXPECTED_VALUES = {
  text: 'a string',
  id: 'a string',
  uuid: 'a UUID',
  boolean: 'true or false',
  number: 'a number',
  integer: 'an integer within ±(2^53-1)',
  date: 'a date such as 2026-11-21',
  time: 'an ISO 8601 date or time',
} as const;

/** Times are stored in microseconds. */
const END_OF_DAY = 'T23:59:59.999999Z';

type Scalar = string | number | boolean;
interface Fault {
  readonly message: string;
}

/** Returns the operands for the database (none for null), or the fault of the value. */
export function readOperands(
  type: FilterType,
  operand: Operand,
  value: unknown,
): { readonly operands: readonly unknown[] } | Fault {
  if (operand === 'nothing') return { operands: [] };
  if (type === 'json') return { message: 'only empty, nempty and nemptyarray apply to this field' };
  if (operand === 'text') {
    if (!LIKE_TYPES.includes(type) || typeof value !== 'string')
      return { message: 'like and nlike compare text, dates and times with a string' };
    if (value.length > MAX_LIKE_CHARS) return { message: `must be at most ${MAX_LIKE_CHARS} characters` };
    return { operands: [containing(value)] };
  }
  if (operand === 'last value') return readValues(type, [value], 1, 1, true);
  if (operand === 'two values') return readValues(type, value, 2, 2, true);
  if (operand === 'values') {
    const read = readValues(type, value, 0, MAX_VALUES);
    return 'operands' in read ? { operands: [read.operands] } : read;
  }
  if (operand === 'value or null' && value === null) return { operands: [] };
  return readValues(type, [value], 1, 1);
}

/** The pattern of a case-insensitive `contains`; wildcards in the text are literal. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** Returns the text of a pattern that `containing` made. */
export function contained(pattern: string): string {
  return pattern.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}

/** Reads `min` to `max` values. With `isUpTo`, the last one is the end of a range; a date includes its whole day. */
function readValues(
  type: keyof typeof EXPECTED_VALUES,
  values: unknown,
  min: number,
  max: number,
  isUpTo = false,
): { readonly operands: readonly unknown[] } | Fault {
  if (!Array.isArray(values) || values.length < min || values.length > max)
    return { message: `must be an array of ${min === max ? '' : 'at most '}${max} values` };
  const operands = values.flatMap((value) => readScalar(type, value) ?? []);
  if (operands.length !== values.length) return { message: `must be ${EXPECTED_VALUES[type]}` };
  const last: unknown = values.at(-1);
  const isDay = isUpTo && type === 'time' && typeof last === 'string' && isDate(last);
  return { operands: isDay ? [...operands.slice(0, -1), `${last}${END_OF_DAY}`] : operands };
}

function readScalar(type: keyof typeof EXPECTED_VALUES, value: unknown): Scalar | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'integer') return Number.isSafeInteger(value) ? Number(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'id') return isUuid(value) ? value : NIL;
  if (type === 'uuid') return toUuid(value);
  if (type === 'date') return isDate(value) ? value : undefined;
  return type === 'time' ? readTime(value) : value;
}

/** Lower-cases a UUID; returns undefined for other text. */
export function toUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return isUuid(lower) ? lower : undefined;
}

/** ISO 8601 dates and times, in zones that PostgreSQL knows; a date alone means midnight UTC. */
const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-](?:0\d|1[0-5]):?[0-5]\d)?)?$/;

/** True if filters accept a value as a date or time. */
export function isTime(value: unknown): boolean {
  return typeof value === 'string' && readTime(value) !== undefined;
}

/** True if a text is a date in the years 1 to 9999. */
export function isDate(text: string): boolean {
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text);
}

/** Converts a time to UTC with milliseconds; undefined if it is invalid. */
export function readTime(text: string): string | undefined {
  if (!ISO_TIME.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const hasZone = !text.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  const time = new Date(hasZone ? text : `${text}Z`);
  // A zone can move a time out of the years 1 to 9999, and PostgreSQL has no year 0.
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  return /^(?!0000)\d{4}-/.test(iso) ? iso : undefined;
}

/** True if the day exists; `Date` alone parses February 30 as March 2. */
function isDay(text: string): boolean {
  const midnight = new Date(text);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
