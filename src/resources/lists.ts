/** Lists of records: one page of those that match, newest first, and how many match. */
import { type Compilable, type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type AnyQuery, type AnyTables, type RowsDb, runCompiled } from './compiled.ts';
import { amongFound, type Conditions, conditionsIn, type Narrowing } from './list-conditions.ts';
import {
  behind,
  cursorOf,
  type ListOrder,
  NEWEST_FIRST,
  newestFirst,
  orderBy,
  placeSql,
  readCursor,
  readSort,
} from './list-order.ts';
import { hasOrderOptions, type OrderOptions } from './order-options.ts';
import { type ListPage, offsetOf, type PageRequest, toListPage, totalOf } from './paging.ts';
import type { AnyRow, Resource, ResourceTypes } from './resource.ts';
import { readColumns } from './view.ts';

/** What a row of a page may have in values of any length to be read with the others, bytes. */
const LARGEST_TOGETHER = 16 * 1024;

/** A list request. */
export interface ListRequest extends PageRequest, Narrowing {}

/** A list request with the options of a list that can be ordered. */
export interface OrderedRequest extends ListRequest, OrderOptions {}

/** One page of records, newest first. @throws AppError INVALID_REQUEST for filters that the list does not take. */
export async function listRecords<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: ListRequest,
): Promise<ListPage<T['row']>> {
  const conditions = await amongFound(db, resource, await conditionsIn(db, resource, request));
  const rows = await pageOfRows<T['row']>(db, resource, conditions, request);
  const total = await totalOf(request, rows.length, () => countRows(db, resource, conditions));
  return toListPage(rows, total, request);
}

/** A row of a page, without the values of any length when these are large together: of how many bytes, then. */
export type BoundedRow<Row> = Row & { readonly large_octets: number | null };

/** One page of records, newest first; of large ones what may be long is left out. @throws AppError as `listRecords`. */
export async function listBounded<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: ListRequest,
): Promise<ListPage<BoundedRow<T['row']>>> {
  const { rows, total = 0 } = await listOrdered(db, resource, request);
  return toListPage(rows, total, request);
}

/** A page in an order that the request chose: `next` begins the page after it. */
export interface OrderedPage<Row> {
  readonly rows: Row[];
  /** Absent: the request did not want them counted. */
  readonly total?: number;
  /** Null: there are no more records. Absent: the request has no option of order. */
  readonly next?: string | null;
}

/**
 * One page of records in the order of the request; of large ones what may be long is left out, unless `toRows` is `readWhole`.
 * @throws AppError INVALID_REQUEST also for a sort that the list does not offer, and for a malformed cursor.
 */
export async function listOrdered<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: OrderedRequest,
  toRows: ToRows = leaveOutLarge,
): Promise<OrderedPage<BoundedRow<T['row']>>> {
  const order = readSort(resource, request.sort);
  const parts = request.parent?.length ?? 0;
  const after = request.after === undefined ? null : readCursor(resource, order, request.after, parts);
  const conditions = await amongFound(db, resource, await conditionsIn(db, resource, request));
  const isOrdered = hasOrderOptions(request);
  const placed = after === null ? conditions : afterRow(resource, conditions, { order, after, parts });
  const rows = await pageOfRows<BoundedRow<T['row']> & AnyRow>(db, resource, placed, request, {
    toRows,
    order,
    hasPlace: isOrdered,
  });
  const count = () => countRows(db, resource, conditions);
  const total =
    request.count === false
      ? {}
      : { total: await (after === null ? totalOf(request, rows.length, count) : count()) };
  if (!isOrdered) return { rows, ...total };
  const last = rows.length < request.limit ? undefined : rows.at(-1);
  return { rows, ...total, next: last ? cursorOf(resource, order, last, parts) : null };
}

/** Leaves the records behind the one that a cursor names. */
function afterRow(
  resource: Resource,
  { shape, values, toSql, ...conditions }: Conditions,
  { order, after, parts }: { order: ListOrder; after: readonly string[]; parts: number },
): Conditions {
  return {
    ...conditions,
    shape: `${shape} after`,
    values: [...values, ...after],
    toSql: (slots) => [...toSql(slots), behind(resource, order, slots.slice(values.length), parts)],
  };
}

/** One page of records as lists show them. @throws AppError as `listRecords`. */
export async function listViews<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: ListRequest,
) {
  const { results, ...counts } = await listRecords(db, resource, request);
  return { results: results.map(resource.listView), ...counts };
}

/** All records that match, newest first. @throws AppError as `listRecords`. */
export async function listAllRecords<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  narrowing: Narrowing,
): Promise<T['row'][]> {
  const { shape, values, toSql } = await conditionsIn(db, resource, narrowing);
  return runCompiled<T['row']>(db, resource, `all ${shape}`, values, (query, slots) =>
    matching(query, resource.table, toSql(slots))
      .select(readColumns(resource, resource.listColumns, resource.table))
      .orderBy(newestFirst(resource)),
  );
}

/**
 * A later page is found in the index alone, and only its own rows are then read: 100,000 rows in, that costs a quarter
 * of reading what is skipped (docs/decisions). The first page has nothing to skip.
 */
function pageOfRows<Row>(
  db: RowsDb,
  resource: Resource,
  { shape, values, toSql }: Conditions,
  request: PageRequest,
  { toRows, order, hasPlace }: PageForm = NEWEST_PAGE,
): Promise<Row[]> {
  const { table, key } = resource;
  const { column, isDescending } = order;
  const isFirst = request.page === 1;
  const paged = [...values, request.limit, offsetOf(request)];
  return runCompiled<Row>(
    db,
    resource,
    `${toRows.name} ${column} ${isDescending} ${hasPlace} ${isFirst ? 'first page' : 'page'} ${shape}`,
    paged,
    (query, slots) => {
      const [limit, skipped] = slots.slice(values.length).map((slot) => sql<number>`${slot}::bigint`);
      const rows = matching(query, table, toSql(slots))
        .orderBy(orderBy(resource, order))
        .limit(limit ?? null);
      const read = (from: typeof rows, of: string) => toRows(query, resource, from, of, order, hasPlace);
      if (isFirst) return read(rows, table);
      const keys = rows
        .select([...new Set(['tenant_id', column, ...key.columns])])
        .offset(skipped ?? 0)
        .as('page');
      const wanted = query
        .selectFrom(keys)
        .innerJoin(`${table} as target`, (join) =>
          ['tenant_id', ...key.columns].reduce(
            (on, column) => on.onRef(`target.${column}`, '=', `page.${column}`),
            join,
          ),
        )
        .orderBy(orderBy(resource, order, 'target.'));
      return read(wanted, 'target');
    },
  );
}

/** What a page reads of its rows, which come from `table`. */
type ToRows = (
  query: AnyQuery,
  resource: Resource,
  rows: SelectQueryBuilder<AnyTables, string, object>,
  table: string,
  order: ListOrder,
  hasPlace: boolean,
) => Compilable;

/** How a page is read. */
interface PageForm {
  readonly toRows: ToRows;
  readonly order: ListOrder;
  /** Each row has the value of the order, for cursors. */
  readonly hasPlace: boolean;
}

/** Rows as they are, however long their values. */
export const readWhole: ToRows = (_query, resource, rows, table, order, hasPlace) =>
  rows
    .select(readColumns(resource, resource.listColumns, table))
    .$if(hasPlace, (placed) => placed.select(placeSql(resource, order, table)));

const NEWEST_PAGE: PageForm = { toRows: readWhole, order: NEWEST_FIRST, hasPlace: false };

/**
 * Rows without what may be long where that is large. The size of each is computed once: a query with its own order is not
 * merged into the one around it.
 */
export const leaveOutLarge = (
  query: AnyQuery,
  resource: Resource,
  rows: SelectQueryBuilder<AnyTables, string, object>,
  table: string,
  order = NEWEST_FIRST,
  hasPlace = false,
) => {
  const { listColumns, largeColumns } = resource;
  const sizes = largeColumns.map(
    (column) => sql`coalesce(octet_length(${sql.ref(`${table}.${column}`)}::text), 0)`,
  );
  const octets = sizes.length === 0 ? sql<number>`0` : sql<number>`(${sql.join(sizes, sql` + `)})`;
  const sized = rows
    .select(readColumns(resource, listColumns, table))
    .select(octets.as('octets'))
    .as('sized');
  const isSmall = sql`sized.octets <= ${sql.lit(LARGEST_TOGETHER)}`;
  const shown = listColumns.map((column) => {
    const value = sql.ref(`sized.${column}`);
    return (largeColumns.includes(column) ? sql`case when ${isSmall} then ${value} end` : value).as(column);
  });
  return query
    .selectFrom(sized)
    .select(shown)
    .$if(hasPlace, (rows) => rows.select(placeSql(resource, order, 'sized')))
    .select(sql`case when ${isSmall} then null else sized.octets end`.as('large_octets'))
    .orderBy(orderBy(resource, order, 'sized.'));
};

/** How many records match. @throws AppError as `listRecords`. */
export async function countRecords(db: RowsDb, resource: Resource, narrowing: Narrowing): Promise<number> {
  return countRows(db, resource, await conditionsIn(db, resource, narrowing));
}

async function countRows(
  db: RowsDb,
  resource: Resource,
  { shape, names, values, toSql, counted: ofAll }: Conditions,
): Promise<number> {
  // What counts a value counts the records of all units.
  const ofValue = reachesAllUnits(db) ? ofAll : undefined;
  const isKept = names.every((name) => resource.totals?.by.includes(name));
  const kept = ofValue ?? (isKept ? resource.totals : undefined);
  const [table, total] = kept
    ? [kept.table, sql<number>`coalesce(sum(${sql.ref(kept.column)}), 0)::bigint`]
    : [resource.table, sql<number>`count(*)`];
  const [counted] = await runCompiled<{ total: number }>(
    db,
    resource,
    `count ${shape}`,
    values,
    (query, slots) =>
      matching(query, table, ofValue ? [ofValue.of(slots[0])] : toSql(slots)).select(total.as('total')),
  );
  return counted?.total ?? 0;
}

function reachesAllUnits(db: RowsDb): boolean {
  return 'scope' in db && db.scope.read === 'all';
}

/** The rows of a table that meet conditions. */
export function matching(query: AnyQuery, table: string, conditions: readonly Expression<SqlBool>[]) {
  return conditions.reduce((rows, condition) => rows.where(condition), query.selectFrom(table));
}
