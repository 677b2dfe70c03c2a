/** The order of a list, and the cursors of `after` and `next`, which mark the start of a page. */
import { type Expression, type SqlBool, sql } from 'kysely';
import { invalidRequest } from '../errors/platform-errors.ts';
import type { Route } from '../http/route.ts';
import { COLUMN_KINDS, type Constant, type Field } from './fields.ts';
import { readTime } from './filter-values.ts';
import { isUuid, keyOf } from './keys.ts';
import type { AnyRow, Resource } from './resource.ts';

/** An order by a non-null column, then by key in the same direction. */
export interface ListOrder {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The default order of a list. */
export const NEWEST_FIRST: ListOrder = { column: 'created_at', isDescending: true };

/** The fields that lists of a resource can be sorted by. */
export function sortsOf({ sorts = [], kinds }: Resource): readonly string[] {
  return kinds.has('created_at') ? ['created_at', ...sorts] : sorts;
}

/** The properties of a list's route that follow from its resource: valid sorts, and what identifies its items. */
export function listFacts(resource: Resource): Pick<Route, 'sorts' | 'items'> {
  const { entityType, key, fields } = resource;
  const column = key.columns.at(-1);
  const isKey = ([name, field]: [string, Field | Constant]) =>
    field.kind !== 'constant' && !field.hidden && (field.column ?? name) === column;
  const name = Object.entries(fields).find(isKey)?.[0];
  return {
    sorts: sortsOf(resource),
    items: {
      ...(entityType === undefined ? {} : { entityType }),
      ...(name === undefined ? {} : { key: name }),
    },
  };
}

/**
 * Reads `sort`: a field name, with `-` before it for descending order. @throws AppError INVALID_REQUEST listing the
 * fields.
 */
export function readSort(resource: Resource, sort: string | undefined): ListOrder {
  if (sort === undefined) return NEWEST_FIRST;
  const isDescending = sort.startsWith('-');
  const column = sortsOf(resource).find((name) => name === (isDescending ? sort.slice(1) : sort));
  if (column !== undefined) return { column, isDescending };
  const message = `must be one of ${sortsOf(resource).join(', ')}, with - before it for descending order`;
  throw invalidRequest([{ field: 'sort', message }]);
}

/** The columns of an order, without the key parts of the parent, which are equal in all records. */
function columnsOf({ key }: Resource, { column }: ListOrder, parentParts = 0): string[] {
  return [...new Set([column, ...key.columns.slice(parentParts)])];
}

/** The `order by` of a list, supported by an index. */
export function orderBy(resource: Resource, order: ListOrder, prefix = '', parentParts = 0) {
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc');
  const columns = columnsOf(resource, order, parentParts).map(
    (name) => sql`${sql.ref(`${prefix}${name}`)} ${direction}`,
  );
  return sql`${sql.join(columns)}`;
}

/** The default order, by an index that every listed table has: newest first, then by key. */
export function newestFirst(resource: Resource, prefix = '') {
  return orderBy(resource, NEWEST_FIRST, prefix);
}

/** The condition that a record in `table` follows another one, which may have been deleted. */
export function isAfter(
  resource: Resource,
  order: ListOrder,
  values: readonly unknown[],
  parentParts = 0,
  table = resource.table,
): Expression<SqlBool> {
  const { kinds } = resource;
  const columns = columnsOf(resource, order, parentParts);
  const typeOf = (column: string) => sql.raw(COLUMN_KINDS[kinds.get(column) ?? 'text'].type);
  const rowValues = columns.map((column) => sql.ref(`${table}.${column}`));
  const cursorValues = columns.map((column, index) => sql`${values[index]}::${typeOf(column)}`);
  const comparison = sql.raw(order.isDescending ? '<' : '>');
  return sql<SqlBool>`(${sql.join(rowValues)}) ${comparison} (${sql.join(cursorValues)})`;
}

/** The column of a page's rows with the value that they are sorted by; times have microseconds. */
export const ORDER_VALUE = 'order_value';

/** SQL of the order value as text, for a row of `table`. */
export function orderValueSql({ kinds }: Resource, { column }: ListOrder, table: string) {
  const value = sql.ref(`${table}.${column}`);
  const text =
    kinds.get(column) === 'time'
      ? sql<string>`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : sql<string>`${value}::text`;
  return text.as(ORDER_VALUE);
}

/** The cursor after a row of a page. */
export function cursorOf(resource: Resource, order: ListOrder, row: AnyRow, parentParts: number): string {
  const { columns } = resource.key;
  const key = keyOf(resource, row);
  const rest = columnsOf(resource, order, parentParts).slice(1);
  const values = [row[ORDER_VALUE], ...rest.map((column) => key[columns.indexOf(column)])];
  return encodeCursor([nameOf(order), ...values]);
}

/** Returns a cursor with these texts. */
export function encodeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * Reads a cursor into the values for `isAfter`.
 * @throws AppError INVALID_REQUEST naming `after` if it is malformed, or from a list in another order.
 */
export function readCursor(
  resource: Resource,
  order: ListOrder,
  after: string,
  parentParts: number,
): readonly string[] {
  const columns = columnsOf(resource, order, parentParts);
  const [name, ...values] = decodeCursor(after);
  const areValid = columns.every((column, index) => isValidFor(resource, column, values[index]));
  if (name === nameOf(order) && values.length === columns.length && areValid) return values;
  const message = 'must be the `next` of a page of this list with the same sort';
  throw invalidRequest([{ field: 'after', message }]);
}

function nameOf({ column, isDescending }: ListOrder): string {
  return `${isDescending ? '-' : ''}${column}`;
}

/** Returns the texts in a cursor; none if it is malformed. */
export function decodeCursor(cursor: string): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isList = Array.isArray(values) && values.every((value) => typeof value === 'string');
    return isList ? values : [];
  } catch {
    return [];
  }
}

/** True if the text is a valid value of the column. */
function isValidFor({ kinds }: Resource, column: string, text = ''): boolean {
  switch (kinds.get(column)) {
    case 'time':
      return readTime(text) !== undefined;
    case 'uuid':
      return isUuid(text);
    default:
      return !text.includes('\0') && text.isWellFormed();
  }
}
