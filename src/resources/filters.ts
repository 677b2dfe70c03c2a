/**
 * List filters (document 1, Shared conventions 5; decisions section 4): an object of `{operation, value}` by
 * field. Field names are looked up in the list's definition and never become SQL text by themselves; whatever is
 * not understood is refused by name, never ignored.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Issue } from '../errors/app-error.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import { type FilterType, type FilterValue, isUnary, parseFilterValue } from './filter-values.ts';

/** Every operation of document 1. */
export const FILTER_OPERATIONS = [
  'eq',
  'ne',
  'between',
  'like',
  'nlike',
  'gt',
  'lt',
  'gte',
  'lte',
  'in',
  'nin',
  'empty',
  'nempty',
  'nemptyarray',
] as const;

/** The operations that the lists of the forms area take (document 3, Forms). */
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

/** The name of a filter operation. */
export type FilterOperation = (typeof FILTER_OPERATIONS)[number];

/** One field that a list can be filtered by. */
export interface FilterField {
  readonly type: FilterType;
  /** The column, when it is not called as the field is. */
  readonly column?: string;
}

/** The filters a list offers. */
export interface FilterDefinition {
  readonly fields: Readonly<Record<string, FilterField>>;
  readonly operations: readonly FilterOperation[];
}

/**
 * The conditions of a request's filters, ANDed by the caller.
 * @throws AppError INVALID_REQUEST naming each unknown field, operation or unusable value.
 */
export function compileFilters(
  definition: FilterDefinition,
  filters: Readonly<Record<string, unknown>>,
): Expression<SqlBool>[] {
  const issues: Issue[] = [];
  const conditions: Expression<SqlBool>[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const compiled = compileFilter(definition, name, filter);
    if ('message' in compiled) issues.push(compiled);
    else conditions.push(compiled.condition);
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return conditions;
}

function compileFilter(
  definition: FilterDefinition,
  name: string,
  filter: unknown,
): Issue | { condition: Expression<SqlBool> } {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  if (!field) {
    return {
      field: `filters.${name}`,
      message: `cannot be filtered by; use ${Object.keys(definition.fields).join(', ')}`,
    };
  }
  if (!isFilter(filter)) return { field: `filters.${name}`, message: 'must be an object {operation, value}' };
  const operation = definition.operations.find((known) => known === filter.operation);
  if (!operation) {
    return {
      field: `filters.${name}.operation`,
      message: `must be one of ${definition.operations.join(', ')}`,
    };
  }
  const value = isUnary(operation)
    ? { ok: true as const, value: null }
    : parseFilterValue(field.type, operation, filter.value);
  if (!value.ok) return { field: `filters.${name}.value`, message: value.message };
  return { condition: toCondition(field, field.column ?? name, operation, value.value) };
}

function isFilter(filter: unknown): filter is { operation: unknown; value?: unknown } {
  return typeof filter === 'object' && filter !== null && 'operation' in filter;
}

function toCondition(
  field: FilterField,
  column: string,
  operation: FilterOperation,
  value: FilterValue,
): Expression<SqlBool> {
  const ref = field.type === 'unit' ? sql`${sql.ref(column)}::text` : sql.ref(column);
  switch (operation) {
    case 'eq':
      return value === null ? sql<SqlBool>`${ref} is null` : sql<SqlBool>`${ref} = ${value}`;
    case 'ne':
      return sql<SqlBool>`${ref} is distinct from ${value}`;
    case 'gt':
      return sql<SqlBool>`${ref} > ${value}`;
    case 'gte':
      return sql<SqlBool>`${ref} >= ${value}`;
    case 'lt':
      return sql<SqlBool>`${ref} < ${value}`;
    case 'lte':
      return sql<SqlBool>`${ref} <= ${value}`;
    case 'like':
      return contains(ref, value);
    case 'nlike':
      return sql<SqlBool>`(${contains(ref, value)}) is not true`;
    case 'in':
      return sql<SqlBool>`${ref} = any(${value})`;
    case 'nin':
      return sql<SqlBool>`(${ref} = any(${value})) is not true`;
    case 'between': {
      const [from, to] = Array.isArray(value) ? value : [];
      return sql<SqlBool>`${ref} between ${from} and ${to}`;
    }
    case 'empty':
      return isEmpty(field, ref);
    case 'nempty':
      return sql<SqlBool>`not (${isEmpty(field, ref)})`;
    case 'nemptyarray':
      return field.type === 'json'
        ? sql<SqlBool>`case when json_typeof(${ref}) = 'array' then json_array_length(${ref}) > 0 else false end`
        : sql<SqlBool>`false`;
  }
}

/** A case-insensitive `contains`: the text's own wildcards are taken literally. */
export function contains(ref: Expression<unknown>, text: FilterValue): Expression<SqlBool> {
  const literal = String(text).replaceAll(/[\\%_]/g, (character) => `\\${character}`);
  return sql<SqlBool>`${ref} ilike ${`%${literal}%`}`;
}

/** Null, absent, '', [] or {} (decisions section 4). */
function isEmpty(field: FilterField, ref: Expression<unknown>): Expression<SqlBool> {
  if (field.type === 'text') return sql<SqlBool>`(${ref} is null or ${ref} = '')`;
  if (field.type === 'json')
    return sql<SqlBool>`(${ref} is null or ${ref}::text in ('null', '""', '[]', '{}'))`;
  return sql<SqlBool>`(${ref} is null)`;
}
