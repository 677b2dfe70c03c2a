/** Lists of records: one page of those that match, newest first, and how many match. */
import { type Compilable, type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type AnyQuery, type AnyTables, type RowsDb, runCompiled } from './compiled.ts';
import { COLUMN_KINDS } from './fields.ts';
import { conditionSql } from './filter-sql.ts';
import { containing } from './filter-values.ts';
import { type CountedField, type FilterField, readFilters, searchWords } from './filters.ts';
import { findFew, type Wanted, wantedBy } from './finder.ts';
import { type ListPage, offsetOf, type PageRequest, toListPage, totalOf } from './paging.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { withUnitIds } from './unit-filters.ts';
import { readColumns } from './view.ts';

/** What a list is narrowed by, as its route has checked it. */
export interface Narrowing {
  readonly search?: string | undefined;
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** Conditions that the route itself adds to those of the request. */
  readonly added?: Readonly<Record<string, unknown>>;
  /** Fields of these filters that only the request knows, beside those of the resource. */
  readonly fields?: Readonly<Record<string, FilterField>>;
  /** The first parts of the key: lists what lives in this parent. */
  readonly parent?: readonly string[];
}

/** What a row of a page may have in values of any length to be read with the others, octets. */
const LARGEST_TOGETHER = 16 * 1024;

/** A list request. */
export interface ListRequest extends PageRequest, Narrowing {}

/** Conditions as they tell statements apart, with their values and their SQL of slots. */
export interface Conditions {
  readonly shape: string;
  /** What the list is narrowed by. */
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly toSql: (slots: readonly unknown[]) => Expression<SqlBool>[];
  /** What a finder can be asked of them. */
  readonly wanted: Wanted;
  /** Where those are counted that have the one value which the list is narrowed to. */
  readonly counted: CountedField | undefined;
}

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

/** A row of a page, without the values of any length when these are large together: of how many octets, then. */
export type BoundedRow<Row> = Row & { readonly large_octets: number | null };

/** One page of records, newest first; of large ones what may be long is left out. @throws AppError as `listRecords`. */
export async function listBounded<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  request: ListRequest,
): Promise<ListPage<BoundedRow<T['row']>>> {
  const conditions = await amongFound(db, resource, await conditionsIn(db, resource, request));
  const rows = await pageOfRows<BoundedRow<T['row']>>(db, resource, conditions, request, leaveOutLarge);
  const total = await totalOf(request, rows.length, () => countRows(db, resource, conditions));
  return toListPage(rows, total, request);
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
  toRows: ToRows = readWhole,
): Promise<Row[]> {
  const { table, key } = resource;
  const isFirst = request.page === 1;
  const paged = [...values, request.limit, offsetOf(request)];
  return runCompiled<Row>(
    db,
    resource,
    `${toRows.name} ${isFirst ? 'first page' : 'page'} ${shape}`,
    paged,
    (query, slots) => {
      const [limit, skipped] = slots.slice(values.length).map((slot) => sql<number>`${slot}::bigint`);
      const rows = matching(query, table, toSql(slots))
        .orderBy(newestFirst(resource))
        .limit(limit ?? null);
      if (isFirst) return toRows(query, resource, rows, table);
      const keys = rows
        .select([...new Set(['tenant_id', 'created_at', ...key.columns])])
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
        .orderBy(newestFirst(resource, 'target.'));
      return toRows(query, resource, wanted, 'target');
    },
  );
}

/** What a page reads of its rows, which come from `table`. */
type ToRows = (
  query: AnyQuery,
  resource: Resource,
  rows: SelectQueryBuilder<AnyTables, string, object>,
  table: string,
) => Compilable;

const readWhole: ToRows = (_query, resource, rows, table) =>
  rows.select(readColumns(resource, resource.listColumns, table));

/**
 * Rows without what may be long where that is large. The size of each is computed once: a query with its own order is not
 * merged into the one around it.
 */
export const leaveOutLarge = (
  query: AnyQuery,
  resource: Resource,
  rows: SelectQueryBuilder<AnyTables, string, object>,
  table: string,
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
    .select(sql`case when ${isSmall} then null else sized.octets end`.as('large_octets'))
    .orderBy(newestFirst(resource, 'sized.'));
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

/** Looks at few records only, where a finder knows them. */
async function amongFound(db: RowsDb, resource: Resource, conditions: Conditions): Promise<Conditions> {
  const found = await findFew(db, resource, conditions.wanted);
  if (found === null) return conditions;
  const { shape, values, toSql } = conditions;
  const last = resource.key.columns.at(-1) ?? '';
  const type = sql.raw(COLUMN_KINDS[resource.kinds.get(last) ?? 'text'].type);
  return {
    ...conditions,
    shape: `${shape} found`,
    values: [...values, found],
    toSql: (slots) => [
      ...toSql(slots),
      sql<SqlBool>`${sql.ref(last)} = any(${slots[values.length]}::${type}[])`,
    ],
  };
}

/** The rows of a table that meet conditions. */
export function matching(query: AnyQuery, table: string, conditions: readonly Expression<SqlBool>[]) {
  return conditions.reduce((rows, condition) => rows.where(condition), query.selectFrom(table));
}

/** By the index that every listed table has: newest first, then by key. */
export function newestFirst({ key }: Resource, prefix = '') {
  const columns = ['created_at', ...key.columns].map((column) => sql`${sql.ref(`${prefix}${column}`)} desc`);
  return sql`${sql.join(columns)}`;
}

/**
 * What a list is narrowed by, checked; units may be filtered by slug and name.
 * @throws AppError INVALID_REQUEST for filters that the list does not take.
 */
export async function conditionsIn(
  db: RowsDb,
  resource: Resource,
  narrowing: Narrowing,
): Promise<Conditions> {
  return conditionsOf(resource, {
    ...narrowing,
    filters: await withUnitIds(db, resource, narrowing.filters),
  });
}

function conditionsOf(
  resource: Resource,
  { search, filters, added, fields, parent = [] }: Narrowing,
): Conditions {
  const { operations, fields: usual } = resource.filters;
  const definition = { operations, fields: { ...usual, ...fields } };
  const checked = [...readFilters(definition, filters ?? {}), ...readFilters(definition, added ?? {})];
  const words = resource.search.length === 0 ? [] : searchWords(search);
  const shape = checked.map(({ name, field, operation, operands }) => [
    name,
    field.type,
    operation,
    operands.length,
  ]);
  const parentColumns = resource.key.columns.slice(0, parent.length);
  const [only, ...others] = checked;
  const isOneValue = others.length + words.length + parent.length === 0 && only?.operation === 'eq';
  return {
    wanted: wantedBy(resource, words, checked, parent),
    counted: isOneValue && only.operands.length > 0 ? only.field.counted : undefined,
    shape: JSON.stringify([shape, words.length, parent.length]),
    names: [...checked.map(({ name }) => name), ...parentColumns, ...words],
    values: [...parent, ...checked.flatMap(({ operands }) => operands), ...words.map(containing)],
    toSql: (slots) => {
      const rest = [...slots];
      return [
        ...parentColumns.map((column) => sql<SqlBool>`${sql.ref(column)} = ${rest.shift()}`),
        ...checked.map((condition) => conditionSql(condition, rest.splice(0, condition.operands.length))),
        ...words.map(() => searchSql(resource.search, rest.shift())),
      ];
    },
  };
}

/** Every word must occur in one of the searched columns (docs/specification/conventions.md#search). */
function searchSql(columns: readonly string[], pattern: unknown): Expression<SqlBool> {
  const matches = columns.map((column) => sql<SqlBool>`${sql.ref(column)} ilike ${pattern}`);
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`;
}
