/** What is read of records: pages with their totals, one record, and those that others relate to. */
import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { type AnyQuery, type AnyTables, runCompiled } from '../../resources/compiled.ts';
import { conditionSql } from '../../resources/filter-sql.ts';
import type { FilterCondition } from '../../resources/filters.ts';
import { offsetOf } from '../../resources/paging.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { shapeOf } from './conditions.ts';
import { type Include, keysOf } from './include.ts';
import type { ListQuery, OrderStep, Selection } from './list-query.ts';
import { rowJson } from './row-json.ts';
import { findMatches } from './search.ts';
import { ROWS } from './shown-fields.ts';
import { keptTotal } from './totals.ts';

/** A record as JSON, beside the columns by which its related records are found. */
export interface ReadRecord {
  readonly json: string;
  readonly [column: string]: string | null;
}

/** What narrows a statement to records. */
export interface Narrowing {
  readonly conditions: readonly FilterCondition[];
  readonly search: string | null;
  /** The ids of all that the search matches, where they are known. */
  readonly found?: readonly string[];
}

/** One page of records, and how many match on all pages. */
export async function readPage(
  db: ScopedDb,
  model: EntityModel,
  list: ListQuery,
): Promise<{ readonly records: readonly ReadRecord[]; readonly total: number }> {
  const isFirst = list.page === 1;
  const found = list.search === null ? null : await findMatches(db, model, list.search);
  const narrowing: Narrowing = found === null ? list : { ...list, found };
  const [values, shape] = [valuesOf(narrowing), narrowingShape(narrowing)];
  const order = list.order.map(({ field, descends }) => `${descends ? '-' : ''}${field.name}`);
  const keys = keysOf(list.include);
  const rows = await runCompiled<{ total: number; json: string | null }>(
    db,
    model,
    // The planner is told how few rows are wanted, or it may sort all that match.
    JSON.stringify(['page', isFirst, list.limit, shape, order, list.fields, keys]),
    isFirst ? values : [...values, offsetOf(list)],
    (query, slots) => {
      const offset = isFirst ? sql`0` : sql`${slots.at(-1)}::bigint`;
      const place = { limit: sql`${sql.lit(list.limit)}`, offset };
      // Narrowed with the statement around it, and so once.
      const { selectFrom } = expressionBuilder<AnyTables, never>();
      const matches = () => narrowed(selectFrom(`${model.table} as ${ROWS}`), narrowing, slots);
      const isNarrowed = shape !== UNNARROWED;
      const counted = isNarrowed ? matches().select(sql<number>`count(*)`.as('total')) : keptTotal(model);
      return query
        .with('page', (q) => pageOf(q, model, list, matches(), place, isFirst))
        .with('seen', (q) => q.selectFrom('page').select(sql`count(*)`.as('count')))
        .selectFrom('seen')
        .leftJoin('page', (join) => join.onTrue())
        .select(totalSql(counted, place).as('total'))
        .selectAll('page');
    },
  );
  const records = rows.flatMap(({ total: _total, json, ...found }) =>
    json === null ? [] : [{ ...found, json }],
  );
  return { records, total: rows[0]?.total ?? 0 };
}

/** A record; null when the scope reaches none of this id. */
export async function readRecord(
  db: ScopedDb,
  model: EntityModel,
  id: string,
  { fields, include }: Selection,
): Promise<ReadRecord | null> {
  const keys = keysOf(include);
  const shape = JSON.stringify(['one', fields, keys]);
  const [row] = await runCompiled<ReadRecord>(db, model, shape, [id], (query, [slot]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select(
        [rowJson(query, model, ROWS, fields), ...keys.map((key) => sql.ref(`${ROWS}.${key}`))].map(
          named(keys),
        ),
      )
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${slot}`),
  );
  return row ?? null;
}

/** At most `limit` records that a column names by these ids, newest first, with what their own relations need. */
export async function readRelated(
  db: ScopedDb,
  { model, relation, inside }: Include,
  ids: readonly string[],
  limit: number,
): Promise<readonly ReadRecord[]> {
  const column = relation.kind === 'belongs_to' ? 'id' : relation.column;
  const keys = [...new Set([column, ...keysOf(inside)])];
  const shape = JSON.stringify(['related', column, keys]);
  return runCompiled<ReadRecord>(db, model, shape, [ids, limit], (query, [slot, most]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select([rowJson(query, model, ROWS), ...keys.map((key) => sql.ref(`${ROWS}.${key}`))].map(named(keys)))
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.${column}`)} = any(${slot}::uuid[])`)
      .orderBy(newestFirst(ROWS))
      .limit(sql<number>`${most}::bigint`),
  );
}

/** The rows that a narrowing leaves; `slots` begin with its values. */
export function narrowed<Rows extends { where(condition: Expression<SqlBool>): Rows }>(
  rows: Rows,
  { conditions, search, found }: Narrowing,
  slots: readonly unknown[],
): Rows {
  const rest = [...slots];
  const all = conditions.map((condition) =>
    conditionSql(condition, rest.splice(0, condition.operands.length)),
  );
  if (search !== null) {
    const wanted = sql`to_tsquery('simple', ${rest.shift()})`;
    all.push(sql<SqlBool>`${sql.ref(`${ROWS}.search_text`)} @@ ${wanted}`);
  }
  if (found) all.push(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${rest.shift()}::uuid[])`);
  return all.reduce((some, condition) => some.where(condition), rows);
}

/** The values of a narrowing, in the order in which `narrowed` takes them. */
export function valuesOf({ conditions, search, found }: Narrowing): readonly unknown[] {
  const searched = [...(search === null ? [] : [search]), ...(found ? [found] : [])];
  return [...conditions.flatMap(({ operands }) => operands), ...searched];
}

/** The shape of what leaves all records. */
const UNNARROWED = narrowingShape({ conditions: [], search: null });

/** What narrowings differ in beside their values. */
export function narrowingShape({ conditions, search, found }: Narrowing): string {
  return `${shapeOf(conditions)}${search === null ? '' : ' search'}${found ? ' found' : ''}`;
}

type Rows = SelectQueryBuilder<AnyTables, string, object>;
interface Place {
  readonly limit: RawBuilder<unknown>;
  readonly offset: RawBuilder<unknown>;
}

/**
 * The rows of a page. What is skipped of a later one is only counted: its own rows are found by their ids alone, in an
 * index where there is one, and then read. JSON is made of no row that is not shown.
 */
function pageOf(
  query: AnyQuery,
  model: EntityModel,
  { order, fields, include }: ListQuery,
  matches: Rows,
  { limit, offset }: Place,
  isFirst: boolean,
) {
  const keys = keysOf(include);
  const found = matches.orderBy(orderSql(order, ROWS)).limit(sql<number>`${limit}`);
  const rows = isFirst
    ? query.selectFrom(found.selectAll(ROWS).as('shown_rows'))
    : query
        .selectFrom(found.select(`${ROWS}.id`).offset(sql<number>`${offset}`).as('found'))
        .innerJoin(`${model.table} as shown_rows`, 'shown_rows.id', 'found.id');
  return rows
    .select(
      [rowJson(query, model, 'shown_rows', fields), ...keys.map((key) => sql.ref(`shown_rows.${key}`))].map(
        named(keys),
      ),
    )
    .orderBy(orderSql(order, 'shown_rows'));
}

/** Counted only where the page does not tell it: a page that is not full is the last one. */
function totalSql(counted: Expression<unknown>, { limit, offset }: Place): RawBuilder<number> {
  const seen = sql.ref('seen.count');
  return sql<number>`case when ${seen} < ${limit} and (${seen} > 0 or ${offset} = 0)
    then ${offset} + ${seen} else (${counted}) end`;
}

/** Values that are the same come newest first. Nulls are last in both directions. */
function orderSql(order: readonly OrderStep[], table: string): RawBuilder<unknown> {
  const steps = order.map(({ field: { column, isFilled }, descends }) => {
    const value = sql.ref(`${table}.${column}`);
    if (!descends) return sql`${value}`;
    // Where there are no nulls an index may be read backwards.
    return isFilled ? sql`${value} desc` : sql`${value} desc nulls last`;
  });
  return sql`${sql.join([...steps, newestFirst(table)])}`;
}

function newestFirst(table: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.created_at`)} desc, ${sql.ref(`${table}.id`)} desc`;
}

/** Names what is read: the record, then its keys. */
function named(keys: readonly string[]) {
  return (expression: Expression<unknown>, index: number) =>
    sql`${expression}`.as(index === 0 ? 'json' : (keys[index - 1] ?? ''));
}
