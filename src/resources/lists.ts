/** Lists of records: one page of those that match, newest first, and how many match. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { type AnyQuery, runCompiled } from './compiled.ts';
import { conditionSql, containing, operandsOf } from './filter-sql.ts';
import { readFilters } from './filters.ts';
import { type ListPage, offsetOf, type PageRequest, toListPage, totalOf } from './paging.ts';
import type { Resource, ResourceTypes, TypedResource } from './resource.ts';

/** What a list is narrowed by, as its route has checked it. */
export interface Narrowing {
  readonly search?: string | undefined;
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** The first parts of the key: lists what lives in this parent. */
  readonly parent?: readonly string[];
}

/** A list request. */
export interface ListRequest extends PageRequest, Narrowing {}

/** Conditions as they tell statements apart, with their values and their SQL of slots. */
interface Conditions {
  readonly shape: string;
  /** What the list is narrowed by. */
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly toSql: (slots: readonly unknown[]) => Expression<SqlBool>[];
}

/** One page of records, newest first. @throws AppError INVALID_REQUEST for filters that the list does not take. */
export async function listRecords<T extends ResourceTypes>(
  db: ScopedDb,
  resource: TypedResource<T>,
  request: ListRequest,
): Promise<ListPage<T['row']>> {
  const conditions = conditionsOf(resource, request);
  const rows = await pageOfRows<T['row']>(db, resource, conditions, request);
  const total = await totalOf(request, rows.length, () => countRows(db, resource, conditions));
  return toListPage(rows, total, request);
}

/** One page of records as lists show them. @throws AppError as `listRecords`. */
export async function listViews<T extends ResourceTypes>(
  db: ScopedDb,
  resource: TypedResource<T>,
  request: ListRequest,
) {
  const { results, ...counts } = await listRecords(db, resource, request);
  return { results: results.map(resource.listView), ...counts };
}

/** All records that match, newest first. @throws AppError as `listRecords`. */
export async function listAllRecords<T extends ResourceTypes>(
  db: ScopedDb,
  resource: TypedResource<T>,
  narrowing: Narrowing,
): Promise<T['row'][]> {
  const { shape, values, toSql } = conditionsOf(resource, narrowing);
  return runCompiled<T['row']>(db, resource, `all ${shape}`, values, (query, slots) =>
    ordered(matching(query, resource.table, toSql(slots)).select([...resource.listColumns]), resource),
  );
}

/**
 * A later page is found in the index alone, and only its own rows are then read: 100,000 rows in, that costs a quarter
 * of reading what is skipped (docs/decisions). The first page has nothing to skip.
 */
function pageOfRows<Row>(
  db: ScopedDb,
  resource: Resource,
  { shape, values, toSql }: Conditions,
  request: PageRequest,
): Promise<Row[]> {
  const offset = offsetOf(request);
  const paged = [...values, request.limit, offset];
  const kind = offset === 0 ? 'first page' : 'page';
  return runCompiled<Row>(db, resource, `${kind} ${shape}`, paged, (query, slots) => {
    const [limit, skipped] = slots.slice(values.length).map((slot) => sql<number>`${slot}::bigint`);
    const rows = matching(query, resource.table, toSql(slots));
    if (offset === 0) return ordered(rows.select([...resource.listColumns]), resource).limit(limit ?? null);
    const keys = ordered(rows.select(['tenant_id', 'created_at', ...resource.key.columns]), resource)
      .limit(limit ?? null)
      .offset(skipped ?? 0);
    return ordered(
      query
        .selectFrom(keys.as('page'))
        .innerJoin(`${resource.table} as target`, (join) =>
          ['tenant_id', ...resource.key.columns].reduce(
            (on, column) => on.onRef(`target.${column}`, '=', `page.${column}`),
            join,
          ),
        )
        .select(resource.listColumns.map((column) => `target.${column}`)),
      resource,
      'target.',
    );
  });
}

async function countRows(
  db: ScopedDb,
  resource: Resource,
  { shape, names, values, toSql }: Conditions,
): Promise<number> {
  const kept = resource.totals;
  const isKept = kept !== undefined && names.every((name) => kept.by.includes(name));
  const [counted] = await runCompiled<{ total: number }>(
    db,
    resource,
    `count ${shape}`,
    values,
    (query, slots) => {
      const total = isKept
        ? sql<number>`coalesce(sum(${sql.ref(kept.column)}), 0)::bigint`
        : sql<number>`count(*)`;
      return matching(query, isKept ? kept.table : resource.table, toSql(slots)).select(total.as('total'));
    },
  );
  return counted?.total ?? 0;
}

function matching(query: AnyQuery, table: string, conditions: readonly Expression<SqlBool>[]) {
  return conditions.reduce((rows, condition) => rows.where(condition), query.selectFrom(table));
}

/** By the index that every listed table has: newest first, then by key. */
function ordered<Q extends Ordered<Q>>(query: Q, { key }: Resource, prefix = ''): Q {
  return ['created_at', ...key.columns].reduce(
    (sorted, column) => sorted.orderBy(`${prefix}${column}`, 'desc'),
    query,
  );
}

interface Ordered<Q> {
  orderBy(column: string, direction: 'desc'): Q;
}

function conditionsOf(resource: Resource, { search, filters, parent = [] }: Narrowing): Conditions {
  const checked = readFilters(resource.filters, filters ?? {});
  const words = resource.search.length === 0 ? [] : (search ?? '').split(/\s+/).filter((word) => word !== '');
  const operands = checked.map(operandsOf);
  const shape = checked.map(({ name, operation }, place) => [name, operation, operands[place]?.length]);
  const parentColumns = resource.key.columns.slice(0, parent.length);
  return {
    shape: JSON.stringify([shape, words.length, parent.length]),
    names: [...checked.map(({ name }) => name), ...parentColumns, ...words],
    values: [...parent, ...operands.flat(), ...words.map(containing)],
    toSql: (slots) => {
      const rest = [...slots];
      return [
        ...parentColumns.map((column) => sql<SqlBool>`${sql.ref(column)} = ${rest.shift()}`),
        ...checked.map((condition, place) =>
          conditionSql(condition, rest.splice(0, operands[place]?.length ?? 0)),
        ),
        ...words.map(() => searchSql(resource.search, rest.shift())),
      ];
    },
  };
}

/** Every word must occur in one of the searched columns (decisions section 4). */
function searchSql(columns: readonly string[], pattern: unknown): Expression<SqlBool> {
  const matches = columns.map((column) => sql<SqlBool>`${sql.ref(column)} ilike ${pattern}`);
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`;
}
