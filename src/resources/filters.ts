/**
 * List filters (docs/specification/conventions.md#filters): reads the filters of a request into checked conditions,
 * which `filter-sql.ts` converts to SQL. Field names are looked up in the list's definition and never become SQL text.
 * Unknown fields and operations are errors.
 */

import type { Issue } from '../errors/app-error.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import type { FilterField, NormalForm } from './filter-field.ts';
import { type FilterCondition, type FilterOperation, OPERATIONS, ofColumn } from './filter-sql.ts';
import { containing, readOperands } from './filter-values.ts';

/** The operations of lists in the forms area (docs/specification/forms.md#form). */
export const FORM_OPERATIONS: readonly FilterOperation[] = [
  'eq',
  'ne',
  'like',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'between',
];

/** The filters of a list. */
export interface FilterDefinition {
  readonly fields: Readonly<Record<string, FilterField>>;
  readonly operations: readonly FilterOperation[];
}

/**
 * Maximum number of conditions of one list, export, record query or bulk filter: each takes planning time, and a
 * comparison per row.
 */
export const MAX_CONDITIONS = 50;

/** Maximum number of conditions of one audience. */
export const MAX_AUDIENCE_CONDITIONS = 100;

/** Operations that compare whole values. */
const WHOLE_VALUE: readonly FilterOperation[] = [
  'eq',
  'ne',
  'in',
  'nin',
  'between',
  'gt',
  'gte',
  'lt',
  'lte',
];

/** Maximum number of words of one search: each is a condition on every searched column. */
const MAX_SEARCH_WORDS = 50;

/** Maximum characters of an unknown operation that a message quotes. */
const MAX_QUOTED = 50;

/**
 * Refuses one or several filters with too many conditions. Call it before any other work on filters.
 * @throws AppError INVALID_REQUEST naming `path`.
 */
export function limitConditions(
  filters: object | readonly object[],
  path = 'filters',
  max = MAX_CONDITIONS,
): void {
  let count = 0;
  for (const each of Array.isArray(filters) ? filters : [filters])
    for (const filter of Object.values<unknown>(Object(each))) {
      count += isByOperation(filter) ? Object.keys(filter).length : 1;
      if (count > max)
        throw invalidRequest([{ field: path, message: `must have at most ${max} conditions` }]);
    }
}

/** Splits a search into its words. @throws AppError INVALID_REQUEST naming `path` if there are too many. */
export function searchWords(text: string | undefined, path = 'search'): string[] {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length > MAX_SEARCH_WORDS)
    throw invalidRequest([{ field: path, message: `must have at most ${MAX_SEARCH_WORDS} words` }]);
  return words;
}

/** Options for reading filters. */
interface FilterReadOptions {
  /** Path of the filters in issues. */
  readonly path?: string;
  readonly max?: number;
  /** Further valid keys, which the caller has already read. */
  readonly otherFields?: readonly string[];
}

/**
 * Reads filters, each `{field: {operation, value}}` or `{field: {<operation>: value, ...}}`. Issues name `path`. The
 * caller combines the conditions with AND.
 * @throws AppError INVALID_REQUEST for more than `max` conditions, or naming each unknown field, operation or invalid
 *   value.
 */
export function readFilters(
  definition: FilterDefinition,
  filters: Readonly<Record<string, unknown>>,
  { path = 'filters', max = MAX_CONDITIONS, otherFields = [] }: FilterReadOptions = {},
): FilterCondition[] {
  limitConditions(filters, path, max);
  const issues: Issue[] = [];
  const conditions: FilterCondition[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    for (const requested of splitFilter(filter, `${path}.${name}`)) {
      const checked = checkCondition(definition, name, requested, otherFields);
      if ('message' in checked) issues.push(checked);
      else conditions.push(checked);
    }
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return conditions;
}

/** An unchecked condition of a request. */
interface RequestedCondition {
  readonly filter: unknown;
  readonly path: string;
  readonly valuePath: string;
}

/** The name of `eq` in campaign filters. */
const EQUALS = 'equals';

/** Splits `{gte: a, lt: b}` into one condition for each operation. */
function splitFilter(filter: unknown, path: string): RequestedCondition[] {
  if (!isByOperation(filter)) return [{ filter, path, valuePath: `${path}.value` }];
  return Object.entries(filter).map(([operation, value]) => ({
    filter: { operation: operation === EQUALS ? 'eq' : operation, value },
    path: `${path}.${operation}`,
    valuePath: `${path}.${operation}`,
  }));
}

function isByOperation(filter: unknown): filter is Readonly<Record<string, unknown>> {
  const isObject = typeof filter === 'object' && filter !== null && !Array.isArray(filter);
  return isObject && !('operation' in filter) && Object.keys(filter).length > 0;
}

/** Returns the condition of a request, or its fault. */
function checkCondition(
  { fields, operations }: FilterDefinition,
  name: string,
  { filter, path, valuePath }: RequestedCondition,
  otherFields: readonly string[],
): FilterCondition | Issue {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) {
    return {
      field: path,
      message: `cannot be filtered by; use ${[...Object.keys(fields), ...otherFields].join(', ')}`,
    };
  }
  if (!isFilter(filter))
    return {
      field: path,
      message: 'must be {operation, value}, or operations with their values, such as {"gte": 1, "lt": 5}',
    };
  const requested = filter.operation === EQUALS ? 'eq' : filter.operation;
  const operation = operations.find((each) => each === requested);
  if (!operation) {
    const message = `${quoteValue(filter.operation)} is not one of ${operations.join(', ')}`;
    return { field: valuePath === path ? path : `${path}.operation`, message };
  }
  const read = readOperands(field.type, OPERATIONS[operation].takes, filter.value);
  if ('message' in read) return { field: valuePath, message: read.message };
  if (field.normalization === undefined) return { name, field, operation, operands: read.operands };
  if (!WHOLE_VALUE.includes(operation))
    return {
      name,
      field,
      operation,
      operands: withNormalPattern(field.normalization, read.operands, filter.value),
    };
  return {
    name,
    operation,
    field: { ...field, sql: ofColumn(field.normalization.column) },
    operands: read.operands.map(normalizer(field.normalization)),
  };
}

/** Adds the pattern that `like` searches for in the normal form, if it needs one. */
function withNormalPattern(
  { ofPart }: NormalForm,
  operands: readonly unknown[],
  value: unknown,
): readonly unknown[] {
  const part = typeof value === 'string' && operands.length === 1 ? ofPart(value) : null;
  return part === null ? operands : [...operands, containing(part)];
}

/** Returns a function that normalizes an operand: a text, or an array of texts. */
function normalizer({ of }: NormalForm): (operand: unknown) => unknown {
  const normalize = (operand: unknown): unknown =>
    Array.isArray(operand) ? operand.map(normalize) : typeof operand === 'string' ? of(operand) : operand;
  return normalize;
}

function isFilter(filter: unknown): filter is { operation: unknown; value?: unknown } {
  return typeof filter === 'object' && filter !== null && 'operation' in filter;
}

/** Quotes a value, truncated if it is long. */
function quoteValue(value: unknown): string {
  const quoted = JSON.stringify(value);
  return quoted.length <= MAX_QUOTED ? quoted : `${quoted.slice(0, MAX_QUOTED).toWellFormed()}…`;
}
