/** Metadata of items: checks against the index's definition, and filters of queries. */

import { type SqlBool, sql } from 'kysely';
import type { Issue } from '../../../errors/app-error.ts';
import type { FieldSql, FilterField } from '../../../resources/filter-field.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { FILTER_OPERATIONS, ofMember } from '../../../resources/filter-sql.ts';
import { limitConditions, readFilters } from '../../../resources/filters.ts';
import type { Item, MetadataDefinition, MetadataFilter } from './schema.ts';

type FieldType = MetadataDefinition[number]['fieldType'];

const EXPECTED: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
};

const FILTER_TYPES = { string: 'text', number: 'number', boolean: 'boolean' } as const;

/** Returns the faults of items' metadata: undefined fields and values of another type. */
export function metadataFaults(definition: MetadataDefinition, items: readonly Item[]): Issue[] {
  const types = new Map(definition.map(({ fieldName, fieldType }) => [fieldName, fieldType]));
  return items.flatMap(({ metadata }, index) =>
    Object.entries(metadata).flatMap(([name, value]) => {
      const field = `data[${index}].metadata.${name}`;
      const type = types.get(name);
      if (type === undefined) return [{ field, message: 'is not a field of the index' }];
      return isOfType(type, value) ? [] : [{ field, message: `must be ${EXPECTED[type]}` }];
    }),
  );
}

/**
 * Converts a query's filter into conditions. @throws AppError INVALID_REQUEST naming each undefined field and each
 * invalid condition.
 */
export function readMetadataFilter(
  definition: MetadataDefinition,
  filter: MetadataFilter,
  path = 'filter',
): FilterCondition[] {
  limitConditions(filter, path);
  const fields = Object.fromEntries(
    definition.map(({ fieldName, fieldType }) => [fieldName, filterField(fieldName, fieldType)]),
  );
  const isArray = (name: string) => fields[name]?.isArray === true;
  const filters = Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, toCondition(value, isArray(name))]),
  );
  return readFilters({ fields, operations: FILTER_OPERATIONS }, filters, { path });
}

function isOfType(type: FieldType, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  // JSON's 1e999 is parsed as Infinity, which would be stored as null.
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

function filterField(name: string, type: FieldType): FilterField {
  if (type === 'array') return { type: 'text', isArray: true, sql: anyElementOf(name) };
  return { type: FILTER_TYPES[type], sql: ofMember('metadata', [name], FILTER_TYPES[type]) };
}

/** Returns SQL for a condition on any element of an array, compared as text. */
function anyElementOf(name: string): FieldSql {
  const list = sql`(metadata -> ${name}::text)`;
  return (compare) => sql<SqlBool>`exists (
    select from jsonb_array_elements_text(case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end)
      as element (value) where ${compare(sql.ref('element.value'))})`;
}

/** A single value means equality; a list means any of its values. */
function toCondition(value: unknown, isArray: boolean): unknown {
  const condition =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : { operation: Array.isArray(value) ? 'in' : 'eq', value };
  return isArray && 'value' in condition ? { ...condition, value: elementText(condition.value) } : condition;
}

function elementText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(elementText);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
