/** Conditions of a list's filter, limited to what the operation's `x-filters` offers. */
import type { FilterField, FilterOperation, FilterType, ListFilters } from '../../sdk/src/list-facts.ts';

/** One condition. All conditions of a filter must hold. */
export interface Condition {
  /** Name of the field in the API. */
  readonly field: string;
  readonly operation: FilterOperation;
  /** Values as text; {@link toApiFilters} converts them. */
  readonly values: readonly string[];
}

/** Operations that make sense for a type, in the order of the menu. */
const OPERATIONS_OF: Readonly<Record<FilterType, readonly FilterOperation[]>> = {
  text: ['like', 'nlike', 'eq', 'ne', 'in', 'nin', 'empty', 'nempty'],
  id: ['eq', 'ne', 'in', 'nin', 'empty', 'nempty'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'empty', 'nempty'],
  boolean: ['eq', 'ne', 'empty', 'nempty'],
  time: ['gt', 'gte', 'lt', 'lte', 'between', 'empty', 'nempty'],
  json: ['empty', 'nempty', 'nemptyarray'],
  any: ['eq', 'ne', 'like', 'nlike', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'empty', 'nempty'],
};
const OPERATIONS_OF_CHOICES: readonly FilterOperation[] = ['eq', 'ne', 'in', 'nin', 'empty', 'nempty'];

/** How many values an operation takes. */
export const VALUE_COUNT: Readonly<Record<FilterOperation, 'none' | 'one' | 'two' | 'many'>> = {
  eq: 'one',
  ne: 'one',
  like: 'one',
  nlike: 'one',
  gt: 'one',
  gte: 'one',
  lt: 'one',
  lte: 'one',
  between: 'two',
  in: 'many',
  nin: 'many',
  empty: 'none',
  nempty: 'none',
  nemptyarray: 'none',
};

/** End of a name such as `additional_fields_data.<name>`, which stands for many fields. */
const OPEN_END = '<name>';

/** Returns the field of a name, or undefined if the list has none. */
export function findField({ fields }: ListFilters, name: string): FilterField | undefined {
  if (Object.hasOwn(fields, name) && !name.endsWith(OPEN_END)) return fields[name];
  return Object.entries(fields).find(([each]) => matchesOpenName(each, name))?.[1];
}

function matchesOpenName(pattern: string, name: string): boolean {
  if (!pattern.endsWith(OPEN_END)) return false;
  const start = pattern.slice(0, -OPEN_END.length);
  return name.length > start.length && name.startsWith(start);
}

/** Returns the beginning of the names that a field stands for, or null if it is a field by itself. */
export function openStartOf(name: string): string | null {
  return name.endsWith(OPEN_END) ? name.slice(0, -OPEN_END.length) : null;
}

/** Returns the operations that a list offers for a field. */
export function operationsOf(filters: ListFilters, field: FilterField): readonly FilterOperation[] {
  const sensible = field.values === undefined ? OPERATIONS_OF[field.type] : OPERATIONS_OF_CHOICES;
  return sensible.filter((each) => filters.operations.includes(each));
}

/** Returns true if a text is a value of a field. */
export function isValueOf({ type, values }: FilterField, text: string): boolean {
  if (values !== undefined) return values.includes(text);
  if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text));
  if (type === 'boolean') return text === 'true' || text === 'false';
  if (type === 'time') return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?$/.test(text);
  return text !== '';
}

/**
 * Converts conditions to the `filters` of an operation. Its facts limit the conditions, so the result has the type that
 * the operation takes.
 */
export function toApiFilters<Filters>(conditions: readonly Condition[], filters: ListFilters): Filters {
  const found: Record<string, Record<string, unknown>> = {};
  for (const { field, operation, values } of conditions) {
    const { type = 'text' } = findField(filters, field) ?? {};
    const all = values.map((value) => toApiValue(type, value));
    const count = VALUE_COUNT[operation];
    found[field] = {
      ...found[field],
      [operation]: count === 'none' ? true : count === 'one' ? all[0] : all,
    };
  }
  return Object(found);
}

function toApiValue(type: FilterType, text: string): string | number | boolean {
  const kind = type === 'any' ? guessType(text) : type;
  if (kind === 'number') return Number(text);
  return kind === 'boolean' ? text === 'true' : text;
}

function guessType(text: string): FilterType {
  if (text === 'true' || text === 'false') return 'boolean';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? 'number' : 'text';
}
