/** Facts about lists, for programs that let people sort and filter them. */

/** The filter operations of the API. */
export const FILTER_OPERATIONS = [
  'eq',
  'ne',
  'like',
  'nlike',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'nin',
  'empty',
  'nempty',
  'nemptyarray',
] as const;

/** A filter operation of the API. */
export type FilterOperation = (typeof FILTER_OPERATIONS)[number];

/** Types of the values of fields. `any`: text, number, boolean or time. */
export const FILTER_TYPES = ['text', 'id', 'number', 'boolean', 'time', 'json', 'any'] as const;

/** Type of a field's values. */
export type FilterType = (typeof FILTER_TYPES)[number];

/** A field that a list can be filtered by. */
export interface FilterField {
  readonly type: FilterType;
  /** All values of the field, if they are few. */
  readonly values?: readonly string[];
}

/** The filters of a list. */
export interface ListFilters {
  /** Fields by name. A name that ends in `<name>` stands for all names with that beginning. */
  readonly fields: Readonly<Record<string, FilterField>>;
  readonly operations: readonly FilterOperation[];
}

/** How a list can be sorted and filtered. */
export interface ListFacts {
  /** Fields that the list can be sorted by. */
  readonly sorts: readonly string[];
  readonly filters?: ListFilters;
}
