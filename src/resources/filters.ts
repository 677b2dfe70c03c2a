/**
 * List filters (docs/specification/conventions.md#filters), in three steps: a reader of a request's form,
 * the checked conditions that it makes, and their SQL, for which `filter-sql.ts` asks the field. Field names are
 * looked up in the list's definition and never become SQL text by themselves; whatever is not understood is refused
 * by name, never ignored.
 */
import type { Expression, SqlBool } from 'kysely';
import type { Issue } from '../errors/app-error.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import { type FieldSql, type FilterOperation, OPERATIONS, ofColumn } from './filter-sql.ts';
import { type FilterType, readOperands } from './filter-values.ts';

/** The operations that the lists of the forms area take (docs/specification/forms.md#form). */
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

/** One field that a list can be filtered by. */
export interface FilterField {
  readonly type: FilterType;
  /** How the field becomes SQL, when it is not a column of its own name. */
  readonly sql?: FieldSql;
  /** Its values are the elements of one array: `nemptyarray` asks for any. */
  readonly isArray?: true;
  /** Under which name the list's finder knows its values. */
  readonly found?: FoundField;
  /** A table that counts the records which have a value. */
  readonly counted?: CountedField;
  /** How whole values are compared when several spellings mean the same. */
  readonly normal?: NormalForm;
}

/** The normal form of a field's values: `eq`, `ne`, `in` and `nin` compare it instead of what was written. */
export interface NormalForm {
  /** The column that stores it. */
  readonly column: string;
  readonly of: (text: string) => string;
}

/** A field whose values a finder knows (`finder.ts`). */
export interface FoundField {
  readonly field: string;
  readonly kind: 'text' | 'number' | 'time';
}

/** Where the records with a value are counted: as the sum of a column, of those of all units. */
export interface CountedField {
  readonly table: string;
  readonly column: string;
  /** Which rows count those with this value. */
  readonly of: (value: unknown) => Expression<SqlBool>;
}

/** The filters a list offers. */
export interface FilterDefinition {
  readonly fields: Readonly<Record<string, FilterField>>;
  readonly operations: readonly FilterOperation[];
}

/** One checked condition. */
export interface FilterCondition {
  readonly name: string;
  readonly field: FilterField;
  readonly operation: FilterOperation;
  /** Its values as the database gets them; none of null, and of what takes no value. */
  readonly operands: readonly unknown[];
}

/** The most conditions of one list, export, record query or bulk filter: each one costs planning and a comparison per row. */
export const MAX_CONDITIONS = 50;

/** The most conditions of one audience. */
export const MAX_AUDIENCE_CONDITIONS = 100;

/** The operations that compare whole values. */
const WHOLE_VALUE: readonly FilterOperation[] = ['eq', 'ne', 'in', 'nin'];

/** The most words of one search: each one is a condition on every searched column. */
const MAX_SEARCH_WORDS = 50;

/** How much of an unknown operation a message repeats. */
const MAX_REPEATED = 50;

/**
 * Refuses filters, or several of them together, with too many conditions. Call it before any other work on filters.
 * @throws AppError INVALID_REQUEST naming `place`.
 */
export function limitConditions(
  filters: object | readonly object[],
  place = 'filters',
  max = MAX_CONDITIONS,
): void {
  const all = Array.isArray(filters) ? filters : [filters];
  const conditions = all
    .flatMap((each) => Object.values(each))
    .flatMap((filter) => (isByOperation(filter) ? Object.keys(filter) : [filter]));
  if (conditions.length > max)
    throw invalidRequest([{ field: place, message: `must have at most ${max} conditions` }]);
}

/** Splits the text of a search into its words. @throws AppError INVALID_REQUEST naming `place` when there are too many. */
export function searchWords(text: string | undefined, place = 'search'): string[] {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length > MAX_SEARCH_WORDS)
    throw invalidRequest([{ field: place, message: `must have at most ${MAX_SEARCH_WORDS} words` }]);
  return words;
}

/** How filters are read. */
interface FilterReading {
  /** What faults call the filters. */
  readonly place?: string;
  readonly max?: number;
  /** Keys that the caller has taken out before, named among the known ones. */
  readonly alsoTaken?: readonly string[];
}

/**
 * Reads filters, each `{field: {operation, value}}` or `{field: {<operation>: value, ...}}`, which faults call `place`. The caller
 * combines the conditions with AND.
 * @throws AppError INVALID_REQUEST for more than `max` conditions, or naming each unknown field, operation or unusable value.
 */
export function readFilters(
  definition: FilterDefinition,
  filters: Readonly<Record<string, unknown>>,
  { place = 'filters', max = MAX_CONDITIONS, alsoTaken = [] }: FilterReading = {},
): FilterCondition[] {
  limitConditions(filters, place, max);
  const issues: Issue[] = [];
  const conditions: FilterCondition[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    for (const asked of splitFilter(filter, `${place}.${name}`)) {
      const checked = checkCondition(definition, name, asked, alsoTaken);
      if ('message' in checked) issues.push(checked);
      else conditions.push(checked);
    }
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return conditions;
}

/** A condition as a request has it. */
interface AskedCondition {
  readonly filter: unknown;
  readonly place: string;
  readonly valuePlace: string;
}

/** The word of campaign filters for `eq`. */
const EQUALS = 'equals';

/** Splits `{gte: a, lt: b}` into one condition for each operation. */
function splitFilter(filter: unknown, place: string): AskedCondition[] {
  if (!isByOperation(filter)) return [{ filter, place, valuePlace: `${place}.value` }];
  return Object.entries(filter).map(([word, value]) => ({
    filter: { operation: word === EQUALS ? 'eq' : word, value },
    place: `${place}.${word}`,
    valuePlace: `${place}.${word}`,
  }));
}

function isByOperation(filter: unknown): filter is Readonly<Record<string, unknown>> {
  const isObject = typeof filter === 'object' && filter !== null && !Array.isArray(filter);
  return isObject && !('operation' in filter) && Object.keys(filter).length > 0;
}

/** The condition that a request names, or what is wrong with it. */
function checkCondition(
  { fields, operations }: FilterDefinition,
  name: string,
  { filter, place, valuePlace }: AskedCondition,
  alsoTaken: readonly string[],
): FilterCondition | Issue {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) {
    return {
      field: place,
      message: `cannot be filtered by; use ${[...Object.keys(fields), ...alsoTaken].join(', ')}`,
    };
  }
  if (!isFilter(filter))
    return {
      field: place,
      message: 'must be {operation, value}, or operations with their values, such as {"gte": 1, "lt": 5}',
    };
  const operation = operations.find((known) => known === filter.operation);
  if (!operation) {
    const message = `${repeat(filter.operation)} is not one of ${operations.join(', ')}`;
    return { field: valuePlace === place ? place : `${place}.operation`, message };
  }
  const read = readOperands(field.type, OPERATIONS[operation].takes, filter.value);
  if ('message' in read) return { field: valuePlace, message: read.message };
  if (field.normal === undefined || !WHOLE_VALUE.includes(operation))
    return { name, field, operation, operands: read.operands };
  return {
    ...{ name, operation, field: { ...field, sql: ofColumn(field.normal.column) } },
    operands: read.operands.map(normalizer(field.normal)),
  };
}

/** Normalizes an operand: a text, or an array of texts. */
function normalizer({ of }: NormalForm): (operand: unknown) => unknown {
  const normalize = (operand: unknown): unknown =>
    Array.isArray(operand) ? operand.map(normalize) : typeof operand === 'string' ? of(operand) : operand;
  return normalize;
}

function isFilter(filter: unknown): filter is { operation: unknown; value?: unknown } {
  return typeof filter === 'object' && filter !== null && 'operation' in filter;
}

/** A value as it was written, cut when it is long. */
function repeat(value: unknown): string {
  const written = JSON.stringify(value);
  return written.length <= MAX_REPEATED ? written : `${written.slice(0, MAX_REPEATED).toWellFormed()}…`;
}
