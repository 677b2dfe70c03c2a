import type { FilterOperation } from './filters.ts';

/** What a filtered column holds; `id` is a UUID, where any text is a possible value. */
export type FilterType = 'text' | 'boolean' | 'number' | 'time' | 'id' | 'json';

/** A value ready to be a parameter. */
export type FilterValue = string | number | boolean | null | readonly (string | number | boolean)[];

/** A long list of values belongs into several requests. */
const MAX_VALUES = 1000;

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** Whether the operation takes no value; one that is sent is ignored. */
export function isUnary(operation: FilterOperation): boolean {
  return operation === 'empty' || operation === 'nempty' || operation === 'nemptyarray';
}

/** Checks a filter's value against the field's type and the operation's shape. */
export function parseFilterValue(
  type: FilterType,
  operation: FilterOperation,
  value: unknown,
): Parsed<FilterValue> {
  if (type === 'json')
    return { ok: false, message: 'only empty, nempty and nemptyarray apply to this field' };
  if (operation === 'between') return parseList(type, value, 2, 2);
  if (operation === 'in' || operation === 'nin') return parseList(type, value, 0, MAX_VALUES);
  if (operation === 'like' || operation === 'nlike') {
    const isText = type === 'text' && typeof value === 'string';
    return isText ? { ok: true, value } : { ok: false, message: 'like and nlike compare text with a string' };
  }
  if (value === null && (operation === 'eq' || operation === 'ne')) return { ok: true, value };
  return parseScalar(type, value);
}

function parseList(type: FilterType, value: unknown, min: number, max: number): Parsed<FilterValue> {
  if (!Array.isArray(value) || value.length < min || value.length > max) {
    return {
      ok: false,
      message:
        min === max ? `must be an array of ${max} values` : `must be an array of at most ${max} values`,
    };
  }
  const items: (string | number | boolean)[] = [];
  for (const item of value) {
    const parsed = parseScalar(type, item);
    if (!parsed.ok) return parsed;
    items.push(parsed.value);
  }
  return { ok: true, value: items };
}

function parseScalar(type: FilterType, value: unknown): Parsed<string | number | boolean> {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean'
        ? { ok: true, value }
        : { ok: false, message: 'must be true or false' };
    case 'number':
      return typeof value === 'number' ? { ok: true, value } : { ok: false, message: 'must be a number' };
    case 'time':
      return parseTime(value);
    default:
      return typeof value === 'string' ? { ok: true, value } : { ok: false, message: 'must be a string' };
  }
}

/** ISO 8601 dates and times; a date alone is its midnight in UTC. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function parseTime(value: unknown): Parsed<string> {
  if (typeof value === 'string' && ISO_TIME.test(value)) {
    const hasZone = !value.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
    const time = new Date(hasZone ? value : `${value}Z`);
    // A zone can move a time out of the years 1 to 9999, and PostgreSQL has no year 0.
    const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString();
    if (/^(?!0000)\d{4}-/.test(iso)) return { ok: true, value: iso };
  }
  return { ok: false, message: 'must be an ISO 8601 date or time' };
}
