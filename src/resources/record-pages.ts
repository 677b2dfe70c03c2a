/**
 * All records that match, however many and however large: page after page, each beginning behind the last record of the
 * one before. In a snapshot they are those of one moment; else each is as it was when it was read, and none comes twice.
 */
import { type SqlBool, sql } from 'kysely';
import { type AnyQuery, type RowsDb, runCompiled } from './compiled.ts';
import { keyOf } from './keys.ts';
import { type Conditions, conditionsIn, type Narrowing } from './list-conditions.ts';
import { behind, NEWEST_FIRST, newestFirst } from './list-order.ts';
import { type BoundedRow, leaveOutLarge, matching } from './lists.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { readColumns } from './view.ts';

/** Of 16 KiB at most each, larger ones are read one by one: so a page takes 16 MiB at most, and two are held at once. */
const PAGE_ROWS = 1000;

/**
 * The records that match, newest first, some at a time; the database reads the next while the caller works on these.
 * @throws AppError INVALID_REQUEST for filters that the list does not take.
 */
export async function* recordPages<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  narrowing: Narrowing,
): AsyncGenerator<readonly T['row'][]> {
  const conditions = await conditionsIn(db, resource, narrowing);
  let coming = readPage<T['row']>(db, resource, conditions, PAGE_ROWS, null);
  try {
    for (;;) {
      const rows = await coming;
      const last = rows.at(-1);
      const isLast = last === undefined || rows.length < PAGE_ROWS;
      if (!isLast) coming = readPage<T['row']>(db, resource, conditions, PAGE_ROWS, placeOf(resource, last));
      yield* wholeRows<T['row']>(db, resource, rows);
      if (isLast) return;
    }
  } finally {
    // The transaction must not end while a statement of it is under way.
    await coming.catch(() => {});
  }
}

/**
 * The same without what may be long where that is large, as lists tell their rows; so many at a time, and none before it is
 * asked for.
 * @throws AppError as `recordPages`.
 */
export async function* boundedPages<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  narrowing: Narrowing,
  pageRows: number,
): AsyncGenerator<readonly BoundedRow<T['row']>[]> {
  const conditions = await conditionsIn(db, resource, narrowing);
  let after: readonly string[] | null = null;
  for (;;) {
    const rows: PlacedRow<T['row']>[] = await readPage<T['row']>(db, resource, conditions, pageRows, after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = placeOf(resource, last);
  }
}

/**
 * The names, in order, that JSON objects in a column of the matching records have: at most `limit` of them.
 * @throws AppError as `recordPages`.
 */
export async function namesInColumn(
  db: RowsDb,
  resource: Resource,
  narrowing: Narrowing,
  column: string,
  limit: number,
): Promise<string[]> {
  const { shape, values, toSql } = await conditionsIn(db, resource, narrowing);
  const rows = await runCompiled<{ name: string }>(
    db,
    resource,
    `names ${column} ${shape}`,
    [...values, limit],
    (query, slots) => {
      const value = sql.ref(`${resource.table}.${column}`);
      const names = matching(query, resource.table, toSql(slots)).select(
        sql<string>`json_object_keys(case json_typeof(${value}) when 'object' then ${value} end)`.as('name'),
      );
      return query
        .selectFrom(names.as('named'))
        .select('named.name')
        .distinct()
        .orderBy('named.name')
        .limit(sql<number>`${slots.at(-1)}::bigint`);
    },
  );
  return rows.map(({ name }) => name);
}

/**
 * The different texts that the matching records have in a column, in order: at most `limit` of them.
 * @throws AppError as `recordPages`.
 */
export async function textsInColumn(
  db: RowsDb,
  resource: Resource,
  narrowing: Narrowing,
  column: string,
  limit: number,
): Promise<string[]> {
  const { shape, values, toSql } = await conditionsIn(db, resource, narrowing);
  const rows = await runCompiled<{ text: string }>(
    db,
    resource,
    `texts ${column} ${shape}`,
    [...values, limit],
    (query, slots) => {
      const value = sql.ref(`${resource.table}.${column}`);
      const texts = matching(query, resource.table, toSql(slots)).select(sql<string>`${value}`.as('text'));
      return query
        .selectFrom(texts.as('named'))
        .select('named.text')
        .distinct()
        .orderBy('named.text')
        .limit(sql<number>`${slots.at(-1)}::bigint`);
    },
  );
  return rows.map(({ text }) => text);
}

/** A row, and when it was made to the microsecond, of which answers tell milliseconds. */
type PlacedRow<Row> = BoundedRow<Row> & { readonly place: string };

/** Where the page behind a row begins. */
function placeOf(resource: Resource, row: PlacedRow<object>): readonly string[] {
  return [row.place, ...keyOf(resource, row)];
}

function readPage<Row>(
  db: RowsDb,
  resource: Resource,
  { shape, values, toSql }: Conditions,
  pageRows: number,
  after: readonly string[] | null,
): Promise<PlacedRow<Row>[]> {
  const { table } = resource;
  const isFirst = after === null;
  const page = runCompiled<PlacedRow<Row>>(
    db,
    resource,
    `${isFirst ? 'begin' : 'go on'} ${pageRows} ${shape}`,
    [...values, ...(after ?? [])],
    (query, slots) => {
      const conditions = toSql(slots);
      const place = isFirst ? [] : [behind(resource, NEWEST_FIRST, slots.slice(values.length))];
      const rows = matching(query, table, [...conditions, ...place]).orderBy(newestFirst(resource));
      return leaveOutLarge(query, resource, rows.limit(pageRows), table).select(
        sql<string>`sized.created_at::text`.as('place'),
      );
    },
  );
  // Whoever awaits it learns of a failure; it may fail before.
  page.catch(() => {});
  return page;
}

function withKey(query: AnyQuery, { table, key }: Resource, slots: readonly unknown[]) {
  return key.columns.reduce(
    (rows, column, place) => rows.where(sql<SqlBool>`${sql.ref(`last.${column}`)} = ${slots[place]}`),
    query.selectFrom(`${table} as last`),
  );
}

/** The rows in runs: large ones alone, read now. Outside a snapshot one may have been deleted: it is left out. */
async function* wholeRows<Row>(
  db: RowsDb,
  resource: Resource,
  rows: readonly BoundedRow<Row>[],
): AsyncGenerator<readonly Row[]> {
  let small: BoundedRow<Row>[] = [];
  for (const row of rows) {
    if (row.large_octets === null) {
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
