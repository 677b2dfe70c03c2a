/** Stored filters of the API as conditions, the inverse of `toApiFilters`. */
import type { FilterField, FilterOperation, ListFilters } from '../../sdk/src/list-facts.ts';
import { type Condition, findField, operationsOf, VALUE_COUNT } from './condition.ts';

/** Filters in the form of the API: by field, `{operation, value}` or values by operation. */
export type ApiFilters = Readonly<Record<string, unknown>>;

/** Stored filters, as far as a filter bar can show them. */
export interface ReadFilters {
  readonly conditions: readonly Condition[];
  /** Members that no condition can express. They are to be kept. */
  readonly rest: ApiFilters;
}

/** Reads stored filters. */
export function readApiFilters(stored: ApiFilters, filters: ListFilters): ReadFilters {
  const conditions: Condition[] = [];
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) {
    const field = findField(filters, name);
    const read = field === undefined ? null : readField(name, field, value, filters);
    if (read === null) rest[name] = value;
    else conditions.push(...read);
  }
  return { conditions, rest };
}

/** Returns the conditions of one field; null if a filter bar cannot express all of them. */
function readField(
  name: string,
  field: FilterField,
  stored: unknown,
  filters: ListFilters,
): readonly Condition[] | null {
  if (!isMembers(stored)) return null;
  const entries: [string, unknown][] =
    typeof stored.operation === 'string' ? [[stored.operation, stored.value]] : Object.entries(stored);
  const offered = operationsOf(filters, field);
  const conditions = entries.map(([word, value]): Condition | null => {
    const operation = offered.find((each) => each === word);
    const values = operation === undefined ? null : readValues(operation, value);
    return operation === undefined || values === null ? null : { field: name, operation, values };
  });
  return conditions.every((each) => each !== null) ? conditions : null;
}

function readValues(operation: FilterOperation, value: unknown): readonly string[] | null {
  const count = VALUE_COUNT[operation];
  if (count === 'none') return value === false ? null : [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if ((count === 'one' && Array.isArray(value)) || (count === 'two' && values.length !== 2)) return null;
  return values.every(isPlain) ? values.map(String) : null;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
