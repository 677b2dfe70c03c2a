/** Lists of records: one page of matching records, newest first, and their number. */
import { type Compilable, type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type AnyQuery, type AnyTables, type RowsDb, runCompiled } from './compiled-statements.ts';
import { type Conditions, type ListSelection, limitToFound, readConditions } from './list-conditions.ts';
import {
  cursorOf,
  isAfter,
  type ListOrder,
  NEWEST_FIRST,
  newestFirst,
  orderBy,
  orderValueSql,
  readCursor,
  readSort,
} from './list-order.ts';
import { hasOrderOptions, type OrderOptions } from './order-options.ts';
import { type ListPage, offsetOf, type PageRequest, toListPage, totalOf } from './paging.ts';
import type { AnyRow, Resource, ResourceTypes } from './resource.ts';
import { readColumns } from './view.ts';

/** The large values of a row are left out of a page if together they exceed this size, in bytes. */
const MAX_INLINE_BYTES = 16 * 1024;

/** A list request. */
export interface ListRequest extends PageRequest, ListSelection {}

/** A list request with the options of a sortable list. */
export interface OrderedRequest extends ListRequest, OrderOptions {}

/**
 * Returns one page of records, newest first. @throws AppError INVALID_REQUEST for filters that the list does not
 * support.
 */
export async function listRecords<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: ListRequest,
): Promise<ListPage<T['row']>> {
  const conditions = await limitToFound(db, resource, await readConditions(db, resource, request));
  const rows = await pageOfRows<T['row']>(db, resource, conditions, request);
  const total = await totalOf(request, rows.length, () => countRows(db, resource, conditions));
  return toListPage(rows, total, request);
}

/** A row of a page. If its large values together exceed 16 KiB, they are null and `large_bytes` is their size. */
export type BoundedRow<Row> = Row & { readonly large_bytes: number | null };

/** A page in the order of the request. */
export interface OrderedPage<Row> {
  readonly rows: Row[];
  /** Absent if the request did not ask for it. */
  readonly total?: number;
  /** The cursor of the next page; null if there are no more records. Absent if the request uses no `OrderOptions`. */
  readonly next?: string | null;
}

/**
 * Returns one page of records in the order of the request, without large values unless `toRows` is `readWhole`.
 * @throws AppError INVALID_REQUEST also for an unknown sort and for a malformed cursor.
 */
export async function listOrdered<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: OrderedRequest,
  toRows: ToRows = omitLarge,
): Promise<OrderedPage<BoundedRow<T['row']>>> {
  const order = readSort(resource, request.sort);
  const parts = request.parent?.length ?? 0;
  const after = request.after === undefined ? null : readCursor(resource, order, request.after, parts);
  const conditions = await limitToFound(db, resource, await readConditions(db, resource, request));
  const pageConditions =
    after === null ? conditions : afterRow(resource, conditions, { order, after, parts });
  const rows = await pageOfRows<BoundedRow<T['row']> & AnyRow>(db, resource, pageConditions, request, {
    toRows,
    order,
    hasOrderValue: hasOrderOptions(request),
  });
  const total = await totalIn(request, rows.length, () => countRows(db, resource, conditions));
  return { rows, ...total, ...nextOf(resource, order, request, rows, parts) };
}

/** Returns the total, unless the request has `count: false`. It runs `count` only if the page does not determine it. */
export async function totalIn(
  request: PageRequest & OrderOptions,
  rowsOnPage: number,
  count: () => Promise<number>,
): Promise<{ total?: number }> {
  if (request.count === false) return {};
  return { total: await (request.after === undefined ? totalOf(request, rowsOnPage, count) : count()) };
}

/**
 * Returns the cursor of the page after these rows, which have the column `ORDER_VALUE`; absent if the request uses no
 * `OrderOptions`.
 */
export function nextOf(
  resource: Resource,
  order: ListOrder,
  request: PageRequest & OrderOptions,
  rows: readonly AnyRow[],
  parentParts = 0,
): { next?: string | null } {
  if (!hasOrderOptions(request)) return {};
  const last = rows.length < request.limit ? undefined : rows.at(-1);
  return { next: last ? cursorOf(resource, order, last, parentParts) : null };
}

/** Adds a condition that skips the records up to and including that of the cursor. */
function afterRow(
  resource: Resource,
  { shape, values, toSql, ...conditions }: Conditions,
  { order, after, parts }: { order: ListOrder; after: readonly string[]; parts: number },
): Conditions {
  return {
    ...conditions,
    shape: `${shape} after`,
    values: [...values, ...after],
    toSql: (slots) => [...toSql(slots), isAfter(resource, order, slots.slice(values.length), parts)],
  };
}

/** Returns one page of records as lists show them. @throws AppError like `listRecords`. */
export async function listViews<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: ListRequest,
) {
  const { results, ...counts } = await listRecords(db, resource, request);
  return { results: results.map(resource.listView), ...counts };
}

/** Returns all matching records, newest first. @throws AppError like `listRecords`. */
export async function listAllRecords<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  selection: ListSelection,
): Promise<T['row'][]> {
  const { shape, values, toSql } = await readConditions(db, resource, selection);
  return runCompiled<T['row']>(db, resource, `all ${shape}`, values, (query, slots) =>
    matching(query, resource.table, toSql(slots))
      .select(readColumns(resource, resource.listColumns, resource.table))
      .orderBy(newestFirst(resource)),
  );
}

/**
 * Finds a later page in the index alone and then reads only its rows: 100,000 rows in, that costs a quarter of reading
 * the skipped rows (docs/decisions). The first page skips nothing.
 */
function pageOfRows<Row>(
  db: RowsDb,
  resource: Resource,
  { shape, values, toSql }: Conditions,
  request: PageRequest,
  { toRows, order, hasOrderValue }: PageOptions = NEWEST_PAGE,
): Promise<Row[]> {
  const { table, key } = resource;
  const { column, isDescending } = order;
  const isFirst = request.page === 1;
  const paged = [...values, request.limit, offsetOf(request)];
  return runCompiled<Row>(
    db,
    resource,
    `${toRows.name} ${column} ${isDescending} ${hasOrderValue} ${isFirst ? 'first page' : 'page'} ${shape}`,
    paged,
    (query, slots) => {
      const [limit, skipped] = slots.slice(values.length).map((slot) => sql<number>`${slot}::bigint`);
      const rows = matching(query, table, toSql(slots))
        .orderBy(orderBy(resource, order))
        .limit(limit ?? null);
      const read = (from: typeof rows, of: string) => toRows(query, resource, from, of, order, hasOrderValue);
      if (isFirst) return read(rows, table);
      const keys = rows
        .select([...new Set(['tenant_id', column, ...key.columns])])
        .offset(skipped ?? 0)
        .as('page');
      const targets = query
        .selectFrom(keys)
        .innerJoin(`${table} as target`, (join) =>
          ['tenant_id', ...key.columns].reduce(
            (on, column) => on.onRef(`target.${column}`, '=', `page.${column}`),
            join,
          ),
        )
        .orderBy(orderBy(resource, order, 'target.'));
      return read(targets, 'target');
    },
  );
}

/** Selects the columns of a page's rows, which come from `table`. */
type ToRows = (
  query: AnyQuery,
  resource: Resource,
  rows: SelectQueryBuilder<AnyTables, string, object>,
  table: string,
  order: ListOrder,
  hasOrderValue: boolean,
) => Compilable;

/** Options for reading a page. */
interface PageOptions {
  readonly toRows: ToRows;
  readonly order: ListOrder;
  /** Each row includes the value of the order, for cursors. */
  readonly hasOrderValue: boolean;
}

/** Reads rows with all values, however long. */
export const readWhole: ToRows = (_query, resource, rows, table, order, hasOrderValue) =>
  rows
    .select(readColumns(resource, resource.listColumns, table))
    .$if(hasOrderValue, (query) => query.select(orderValueSql(resource, order, table)));

const NEWEST_PAGE: PageOptions = { toRows: readWhole, order: NEWEST_FIRST, hasOrderValue: false };

/**
 * Reads rows without large values. The subquery computes the size of each row once: PostgreSQL does not merge a
 * subquery with `order by` into the outer query.
 */
export const omitLarge = (
  query: AnyQuery,
  resource: Resource,
  rows: SelectQueryBuilder<AnyTables, string, object>,
  table: string,
  order = NEWEST_FIRST,
  hasOrderValue = false,
) => {
  const { listColumns, largeColumns } = resource;
  const sizes = largeColumns.map(
    (column) => sql`coalesce(octet_length(${sql.ref(`${table}.${column}`)}::text), 0)`,
  );
  const rowBytes = sizes.length === 0 ? sql<number>`0` : sql<number>`(${sql.join(sizes, sql` + `)})`;
  const sized = rows
    .select(readColumns(resource, listColumns, table))
    .select(rowBytes.as('row_bytes'))
    .as('sized');
  const isSmall = sql`sized.row_bytes <= ${sql.lit(MAX_INLINE_BYTES)}`;
  const shown = listColumns.map((column) => {
    const value = sql.ref(`sized.${column}`);
    return (largeColumns.includes(column) ? sql`case when ${isSmall} then ${value} end` : value).as(column);
  });
  return query
    .selectFrom(sized)
    .select(shown)
    .$if(hasOrderValue, (rows) => rows.select(orderValueSql(resource, order, 'sized')))
    .select(sql`case when ${isSmall} then null else sized.row_bytes end`.as('large_bytes'))
    .orderBy(orderBy(resource, order, 'sized.'));
};

/** Counts the matching records. @throws AppError INVALID_REQUEST for filters that the list does not support. */
export async function countRecords(
  db: RowsDb,
  resource: Resource,
  selection: ListSelection,
): Promise<number> {
  return countRows(db, resource, await readConditions(db, resource, selection));
}

async function countRows(
  db: RowsDb,
  resource: Resource,
  { shape, names, values, toSql, counted }: Conditions,
): Promise<number> {
  // The numbers per value include the records of all units.
  const perValue = readsAllUnits(db) ? counted : undefined;
  const hasTotals = names.every((name) => resource.totals?.by.includes(name));
  const source = perValue ?? (hasTotals ? resource.totals : undefined);
  const [table, total] = source
    ? [source.table, sql<number>`coalesce(sum(${sql.ref(source.column)}), 0)::bigint`]
    : [resource.table, sql<number>`count(*)`];
  const [row] = await runCompiled<{ total: number }>(db, resource, `count ${shape}`, values, (query, slots) =>
    matching(query, table, perValue ? [perValue.of(slots[0])] : toSql(slots)).select(total.as('total')),
  );
  return row?.total ?? 0;
}

function readsAllUnits(db: RowsDb): boolean {
  return 'scope' in db && db.scope.read === 'all';
}

/** The rows of a table that meet conditions. */
export function matching(query: AnyQuery, table: string, conditions: readonly Expression<SqlBool>[]) {
  return conditions.reduce((rows, condition) => rows.where(condition), query.selectFrom(table));
}
