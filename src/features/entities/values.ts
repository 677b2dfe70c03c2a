/** Whether a value can be one of a field. */
import { compileLinearRegex } from '../forms/index.ts';
import { MAX_INDEXED_CHARS } from './models.ts';
import type { Field, FieldType } from './schema.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATETIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/;
/** What a default of type `json` may have. */
const MAX_JSON_CHARS = 10_000;

/** Whether a text is a day of the calendar, of the years 1 to 9999. */
export function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const date = new Date(`${text}T00:00:00Z`);
  return (
    Number(year) > 0 &&
    Number(month) > 0 &&
    !Number.isNaN(date.getTime()) &&
    date.getUTCDate() === Number(day)
  );
}

/** Whether a text is a moment: a day, a time and its zone. */
export function isDatetime(text: string): boolean {
  const [, day] = DATETIME.exec(text) ?? [];
  return day !== undefined && isDate(day) && !Number.isNaN(Date.parse(text));
}

const FAULTS: Readonly<Record<FieldType, (value: unknown) => string | null>> = {
  string: textFault,
  text: textFault,
  enum: textFault,
  integer: (value) => (Number.isSafeInteger(value) ? null : 'must be an integer within ±(2^53-1)'),
  number: (value) => (typeof value === 'number' ? null : 'must be a number'),
  boolean: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  date: (value) => (typeof value === 'string' && isDate(value) ? null : 'must be a date: 2026-01-31'),
  datetime: (value) =>
    typeof value === 'string' && isDatetime(value) ? null : 'must be a date and time: 2026-01-31T12:00:00Z',
  uuid: (value) => (typeof value === 'string' && UUID.test(value) ? null : 'must be a UUID'),
  json: (value) => (JSON.stringify(value).length <= MAX_JSON_CHARS ? null : 'is too long'),
  relation: () => 'is no option of a relation',
};

function textFault(value: unknown): string | null {
  return typeof value === 'string' ? null : 'must be a text';
}

/** What is wrong with a value that is not null; null: nothing. */
export function valueFault(field: Field, value: unknown): string | null {
  const fault = FAULTS[field.type](value);
  if (fault !== null) return fault;
  if (typeof value === 'number') return boundFault(value, field, '');
  if (typeof value !== 'string' || !['string', 'text', 'enum'].includes(field.type)) return null;
  if (field.enum !== undefined && !field.enum.includes(value))
    return `must be one of ${field.enum.join(', ')}`;
  const isIndexed = field.unique === true || field.indexed === true;
  const max = field.max ?? (isIndexed ? MAX_INDEXED_CHARS : undefined);
  const bound = boundFault(
    [...value].length,
    { ...(field.min === undefined ? {} : { min: field.min }), ...(max === undefined ? {} : { max }) },
    ' characters',
  );
  if (bound !== null) return bound;
  if (field.pattern !== undefined && compileLinearRegex(field.pattern, false)?.test(value) === false)
    return 'must match the pattern';
  return null;
}

function boundFault(value: number, { min, max }: Pick<Field, 'min' | 'max'>, unit: string): string | null {
  if (min !== undefined && value < min) return `must be at least ${min}${unit}`;
  if (max !== undefined && value > max) return `must be at most ${max}${unit}`;
  return null;
}
