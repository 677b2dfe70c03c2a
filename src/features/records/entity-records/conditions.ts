/**
 * The filters of the list's query and of bulk updates: keys `<field>` and `<field>__<operator>`. An unknown field or
 * operator is an issue that names it (docs/specification/records.md#records).
 */

import { sql } from 'kysely';
import type { Issue } from '../../../errors/app-error.ts';
import type { FieldSql } from '../../../resources/filter-field.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { type FilterOperation, OPERATIONS, ofColumn } from '../../../resources/filter-sql.ts';
import { type FilterType, readOperands } from '../../../resources/filter-values.ts';
import { ROWS, type ShownField } from './shown-fields.ts';

/** Longest part of an unknown name that a message repeats. */
const MAX_REPEATED = 60;

/** Operators by the suffix of the field name. */
const OPERATORS: ReadonlyMap<string, FilterOperation> = new Map([
  ['', 'eq'],
  ['ne', 'ne'],
  ['gt', 'gt'],
  ['lt', 'lt'],
  ['gte', 'gte'],
  ['lte', 'lte'],
  ['like', 'like'],
  ['in', 'in'],
  ['nin', 'nin'],
]);
const NULL_OPERATOR = 'null';
const EQUALITY: readonly FilterOperation[] = ['eq', 'ne', 'in', 'nin'];

/** Reads one filter on rows of `table`; `value` is a text from a query, or any value from a body. */
export function readCondition(
  fields: ReadonlyMap<string, ShownField>,
  key: string,
  value: unknown,
  table = ROWS,
): FilterCondition | Issue {
  const { name, operator } = splitKey(fields, key);
  const field = fields.get(name);
  if (!field) return { field: cut(key), message: `there is no field ${cut(name)}` };
  const condition = { name, field: { type: field.type, sql: ofField(field, table) } };
  if (operator === NULL_OPERATOR) {
    const isNull = toBoolean(value);
    if (isNull === undefined) return { field: key, message: 'must be true or false' };
    return { ...condition, operation: isNull ? 'eq' : 'ne', operands: [] };
  }
  const operation = operator === null ? 'eq' : operator === '' ? undefined : OPERATORS.get(operator);
  if (operation === undefined) {
    const known = [...OPERATORS.keys(), NULL_OPERATOR].flatMap((each) => (each === '' ? [] : [`__${each}`]));
    return { field: cut(key), message: `the operator must be one of ${known.join(', ')}` };
  }
  const wrong = misuse(field.type, operation);
  if (wrong !== null) return { field: key, message: wrong };
  const { takes: operandType } = OPERATIONS[operation];
  const values = operandType === 'values' ? toList(value) : [value];
  const typed = values.map((each) => toTyped(field.type, each));
  // To test for null, callers use `__null`.
  const type = operandType === 'value or null' ? 'value' : operandType;
  const read = readOperands(field.type, type, operandType === 'values' ? typed : typed[0]);
  return 'message' in read
    ? { field: key, message: read.message }
    : { ...condition, operation, operands: read.operands };
}

/**
 * Splits a key into a field and an operator (null if none). The longest known field wins: names may end in an
 * underscore, and a relation `of_` has the field `of__id`.
 */
function splitKey(
  fields: ReadonlyMap<string, ShownField>,
  key: string,
): { readonly name: string; readonly operator: string | null } {
  if (fields.has(key)) return { name: key, operator: null };
  const split = (at: number) => ({ name: key.slice(0, at), operator: key.slice(at + 2) });
  for (let at = key.lastIndexOf('__'); at > 0; at = key.lastIndexOf('__', at - 1))
    if (fields.has(key.slice(0, at))) return split(at);
  // Start at the second character: system fields begin with an underscore.
  const at = key.indexOf('__', 1);
  return at < 0 ? { name: key, operator: null } : split(at);
}

/**
 * Returns the field's column, cast to its own type. The cast changes the statement text with the type. A statement
 * that was prepared for another type would convert values to that type: a date would lose its time.
 */
function ofField({ column, columnType }: ShownField, table: string): FieldSql {
  const name = `${table}.${column}`;
  if (columnType === null) return ofColumn(name);
  return (compare) => compare(sql`${sql.ref(name)}::${sql.raw(columnType)}`);
}

/** Returns the suffixes of the operators for a type; the empty suffix tests for equality. */
export function operatorsOf(type: FilterType): readonly string[] {
  const comparing = [...OPERATORS].flatMap(([operator, operation]) =>
    misuse(type, operation) === null ? [operator] : [],
  );
  return [...comparing, NULL_OPERATOR];
}

/** Returns the conditions without their values: the part that determines the statement. */
export function shapeOf(conditions: readonly FilterCondition[]): string {
  return JSON.stringify(
    conditions.map(({ name, operation, operands }) => [name, operation, operands.length]),
  );
}

/** Truncates a name from a request. */
export function cut(name: string): string {
  return name.length <= MAX_REPEATED ? name : `${name.slice(0, MAX_REPEATED).toWellFormed()}…`;
}

function misuse(type: FilterType, operation: FilterOperation): string | null {
  if (type === 'json') return 'a JSON field supports only __null';
  if (operation === 'like')
    return ['text', 'time', 'date'].includes(type) ? null : '__like applies to text, dates and times only';
  const isOrdered = type !== 'boolean';
  return isOrdered || EQUALITY.includes(operation) ? null : `__${operation} does not apply to this field`;
}

/** Returns the values of a comma-separated text, or of an array from a body. */
function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  return value === '' ? [] : value.split(',');
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Converts a text to a value of this type. A text that is not valid stays as it is, and validation refuses it. */
function toTyped(type: FilterType, value: unknown): unknown {
  if (typeof value !== 'string') return type === 'number' && !Number.isFinite(value) ? undefined : value;
  if (type === 'boolean') return toBoolean(value);
  if (type !== 'number' && type !== 'integer') return value;
  const number = NUMBER.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}
