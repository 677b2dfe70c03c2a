/**
 * Iterates over all matching records, of any number and size, page by page. A page starts after the last record of the
 * previous page, so no record appears twice. A snapshot transaction reads all records as of the same time; otherwise
 * each page is read as of its own time.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type AnyQuery, type RowsDb, runCompiled } from './compiled-statements.ts';
import { keyOf } from './keys.ts';
import { type Conditions, type ListSelection, readConditions } from './list-conditions.ts';
import { isAfter, NEWEST_FIRST, newestFirst } from './list-order.ts';
import { type BoundedRow, matching, omitLarge } from './lists.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { readColumns } from './view.ts';

/**
 * Number of rows of a page. Rows with more than 16 KiB of large values are read one by one, so a page takes about
 * 16 MiB. Two pages are in memory.
 */
const PAGE_ROWS = 1000;

/**
 * Yields the matching records, newest first, page by page; the database reads the next page while the caller works.
 * @throws AppError INVALID_REQUEST for filters that the list does not support.
 */
export async function* recordPages<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  selection: ListSelection,
): AsyncGenerator<readonly T['row'][]> {
  const conditions = await readConditions(db, resource, selection);
  let nextPage = readPage<T['row']>(db, resource, conditions, PAGE_ROWS, null);
  try {
    for (;;) {
      const rows = await nextPage;
      const last = rows.at(-1);
      const isLast = last === undefined || rows.length < PAGE_ROWS;
      if (!isLast)
        nextPage = readPage<T['row']>(db, resource, conditions, PAGE_ROWS, positionOf(resource, last));
      yield* withLargeValues<T['row']>(db, resource, rows);
      if (isLast) return;
    }
  } finally {
    // The transaction must not end while one of its statements runs.
    await nextPage.catch(() => {});
  }
}

/**
 * Yields the matching records without large values, newest first. Each page is read when the caller requests it.
 * @throws AppError like `recordPages`.
 */
export async function* boundedPages<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  selection: ListSelection,
  pageRows: number,
): AsyncGenerator<readonly BoundedRow<T['row']>[]> {
  const conditions = await readConditions(db, resource, selection);
  let after: readonly string[] | null = null;
  for (;;) {
    const rows: PositionedRow<T['row']>[] = await readPage<T['row']>(
      db,
      resource,
      conditions,
      pageRows,
      after,
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = positionOf(resource, last);
  }
}

/**
 * Returns the distinct member names of the JSON objects in a column of the matching records: sorted, at most `limit`.
 * @throws AppError like `recordPages`.
 */
export function distinctMemberNames(
  db: RowsDb,
  resource: Resource,
  selection: ListSelection,
  column: string,
  limit: number,
): Promise<string[]> {
  const value = sql.ref(`${resource.table}.${column}`);
  const names = sql<string>`json_object_keys(case json_typeof(${value}) when 'object' then ${value} end)`;
  return distinctValues(db, resource, selection, { name: `names ${column}`, values: names, limit });
}

/**
 * Returns the distinct texts in a column of the matching records: sorted, at most `limit`.
 * @throws AppError like `recordPages`.
 */
export function distinctTexts(
  db: RowsDb,
  resource: Resource,
  selection: ListSelection,
  column: string,
  limit: number,
): Promise<string[]> {
  const texts = sql<string>`${sql.ref(`${resource.table}.${column}`)}`;
  return distinctValues(db, resource, selection, { name: `texts ${column}`, values: texts, limit });
}

/** Texts to collect from records: SQL that returns those of one record. `name` identifies the SQL. */
interface CollectedValues {
  readonly name: string;
  readonly values: RawBuilder<string>;
  readonly limit: number;
}

async function distinctValues(
  db: RowsDb,
  resource: Resource,
  selection: ListSelection,
  { name, values: collected, limit }: CollectedValues,
): Promise<string[]> {
  const { shape, values, toSql } = await readConditions(db, resource, selection);
  const rows = await runCompiled<{ value: string }>(
    db,
    resource,
    `${name} ${shape}`,
    [...values, limit],
    (query, slots) =>
      query
        .selectFrom(
          matching(query, resource.table, toSql(slots)).select(collected.as('value')).as('collected'),
        )
        .select('collected.value')
        .distinct()
        .orderBy('collected.value')
        .limit(sql<number>`${slots.at(-1)}::bigint`),
  );
  return rows.map(({ value }) => value);
}

/** A row and its creation time as text in microseconds; responses show milliseconds. */
type PositionedRow<Row> = BoundedRow<Row> & { readonly created_at_text: string };

/** Returns the values of a row for `isAfter`: the next page starts there. */
function positionOf(resource: Resource, row: PositionedRow<object>): readonly string[] {
  return [row.created_at_text, ...keyOf(resource, row)];
}

function readPage<Row>(
  db: RowsDb,
  resource: Resource,
  { shape, values, toSql }: Conditions,
  pageRows: number,
  after: readonly string[] | null,
): Promise<PositionedRow<Row>[]> {
  const { table } = resource;
  const isFirst = after === null;
  const page = runCompiled<PositionedRow<Row>>(
    db,
    resource,
    `${isFirst ? 'first page' : 'next page'} ${pageRows} ${shape}`,
    [...values, ...(after ?? [])],
    (query, slots) => {
      const conditions = toSql(slots);
      const position = isFirst ? [] : [isAfter(resource, NEWEST_FIRST, slots.slice(values.length))];
      const rows = matching(query, table, [...conditions, ...position]).orderBy(newestFirst(resource));
      return omitLarge(query, resource, rows.limit(pageRows), table).select(
        sql<string>`sized.created_at::text`.as('created_at_text'),
      );
    },
  );
  // The error is thrown where the page is awaited; it may reject earlier.
  page.catch(() => {});
  return page;
}

function withKey(query: AnyQuery, { table, key }: Resource, slots: readonly unknown[]) {
  return key.columns.reduce(
    (rows, column, index) => rows.where(sql<SqlBool>`${sql.ref(`last.${column}`)} = ${slots[index]}`),
    query.selectFrom(`${table} as last`),
  );
}

/**
 * Yields groups of small rows, and each large row alone, which is read here. Outside a snapshot, large rows that have
 * been deleted since are left out.
 */
async function* withLargeValues<Row>(
  db: RowsDb,
  resource: Resource,
  rows: readonly BoundedRow<Row>[],
): AsyncGenerator<readonly Row[]> {
  let small: BoundedRow<Row>[] = [];
  for (const row of rows) {
    if (row.large_bytes === null) {
      small.push(row);
      continue;
    }
    if (small.length > 0) yield small;
    small = [];
    yield await readOne<Row>(db, resource, keyOf(resource, row));
  }
  if (small.length > 0) yield small;
}

function readOne<Row>(db: RowsDb, resource: Resource, key: readonly string[]): Promise<Row[]> {
  return runCompiled<Row>(db, resource, 'one of a page', key, (query, slots) =>
    withKey(query, resource, slots).select(readColumns(resource, resource.listColumns, 'last')),
  );
}
