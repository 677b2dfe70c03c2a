/** Queries for records: pages with totals, single records, and related records. */

import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { type AnyQuery, type AnyTables, runCompiled } from '../../../resources/compiled-statements.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { conditionSql } from '../../../resources/filter-sql.ts';
import { offsetOf } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { shapeOf } from './conditions.ts';
import { type Include, keysOf } from './include.ts';
import type { ListQuery, OrderStep, Selection } from './list-query.ts';
import { rowJson } from './row-json.ts';
import { ROWS } from './shown-fields.ts';
import { LARGEST_TOGETHER, mostBytes, rowBytes } from './sizes.ts';
import { storedTotal } from './totals.ts';

/** A record as JSON, with the columns that identify its related records. */
export interface ReadRecord {
  readonly json: string;
  readonly [column: string]: string | null;
}

/** A record that is too large to be read together with the others of its page. */
export interface LargeRecord {
  readonly id: string;
  readonly bytes: number;
}

/** A page of records, and the number of matches on all pages. */
export interface RecordPage {
  /** Large ones without their JSON. */
  readonly records: readonly ReadRecord[];
  /** By their index in `records`. */
  readonly large: ReadonlyMap<number, LargeRecord>;
  readonly total: number;
}

/** Conditions that limit a statement to some records. */
export interface Narrowing {
  readonly conditions: readonly FilterCondition[];
  readonly search: string | null;
  /** Ids of all matches of the search, if known. */
  readonly found?: readonly string[];
}

/** Reads a page of records, and the number of matches on all pages. */
export async function readPage(db: ScopedDb, model: EntityModel, list: ListQuery): Promise<RecordPage> {
  const isFirst = list.page === 1;
  const found = list.search === null ? null : await findMatches(db, model, list.search);
  const narrowing: Narrowing = found === null ? list : { ...list, found };
  const [values, shape] = [valuesOf(narrowing), narrowingShape(narrowing)];
  const order = list.order.map(({ field, descends }) => `${descends ? '-' : ''}${field.name}`);
  const keys = keysOf(list.include);
  const rows = await runCompiled<PageRow>(
    db,
    model,
    // The limit is part of the statement: without it the planner may sort all matches.
    JSON.stringify(['page', isFirst, list.limit, shape, order, list.fields, keys]),
    isFirst ? values : [...values, offsetOf(list)],
    (query, slots) => {
      const offset = isFirst ? sql`0` : sql`${slots.at(-1)}::bigint`;
      const page = { limit: sql`${sql.lit(list.limit)}`, offset };
      // Shares the conditions of the surrounding statement, so they are applied once.
      const { selectFrom } = expressionBuilder<AnyTables, never>();
      const matches = () => narrowed(selectFrom(`${model.table} as ${ROWS}`), narrowing, slots);
      const isNarrowed = shape !== UNNARROWED;
      const counted = isNarrowed ? matches().select(sql<number>`count(*)`.as('total')) : storedTotal(model);
      return query
        .with('page', (q) => pageOf(q, model, list, matches(), page, isFirst))
        .with('seen', (q) => q.selectFrom('page').select(sql`count(*)`.as('count')))
        .selectFrom('seen')
        .leftJoin('page', (join) => join.onTrue())
        .select(totalSql(counted, page).as('total'))
        .selectAll('page');
    },
  );
  return toPage(rows);
}

interface PageRow {
  readonly total: number;
  readonly json: string | null;
  readonly large_id?: string | null;
  readonly large_bytes?: number | null;
}

function toPage(rows: readonly PageRow[]): RecordPage {
  const large = new Map<number, LargeRecord>();
  const records: ReadRecord[] = [];
  for (const { total: _total, json, large_id: id = null, large_bytes, ...keys } of rows) {
    if (id !== null) large.set(records.length, { id, bytes: large_bytes ?? 0 });
    if (json !== null || id !== null) records.push({ ...keys, json: json ?? '' });
  }
  return { records, large, total: rows[0]?.total ?? 0 };
}

/** Reads these records, in any order. */
export async function readRecords(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  fields: readonly string[] | null = null,
): Promise<readonly { readonly id: string; readonly json: string }[]> {
  return runCompiled(db, model, JSON.stringify(['these', fields]), [ids], (query, [slot]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select([sql.ref(`${ROWS}.id`).as('id'), rowJson(query, model, ROWS, fields).as('json')])
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${slot}::uuid[])`),
  );
}

/** Returns null if the scope reaches no record with this id. */
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
          selectKeys(keys),
        ),
      )
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${slot}`),
  );
  return row ?? null;
}

/** Limits for reading related records. */
export interface RelatedBounds {
  readonly records: number;
  /** Total bytes. */
  readonly bytes: number;
}

/**
 * Reads the records with these ids in a column, newest first, with the columns that their own relations need. Returns
 * null if they exceed the limit of bytes. Reads no more than the limit of records.
 */
export async function readRelated(
  db: ScopedDb,
  { model, relation, inside }: Include,
  ids: readonly string[],
  bounds: RelatedBounds,
): Promise<readonly ReadRecord[] | null> {
  const column = relation.kind === 'belongs_to' ? 'id' : relation.column;
  const keys = [...new Set([column, ...keysOf(inside)])];
  const shape = JSON.stringify(['related', column, keys]);
  const values = [ids, bounds.records, bounds.bytes];
  const rows = await runCompiled<{ json: string | null }>(db, model, shape, values, (query, slots) => {
    const [parentIds, records, bytes] = slots;
    const upToHere = sql`sum(${rowBytes(model, ROWS)}) over (order by ${newestFirst(ROWS)} rows unbounded preceding)`;
    const found = query
      .selectFrom(`${model.table} as ${ROWS}`)
      .selectAll(ROWS)
      .select(upToHere.as('bytes_up_to_here'))
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.${column}`)} = any(${parentIds}::uuid[])`)
      .orderBy(newestFirst(ROWS))
      .limit(sql<number>`${records}::bigint`);
    const json = rowJson(query, model, 'shown_rows');
    const bounded = sql`case when shown_rows.bytes_up_to_here <= ${bytes}::bigint then ${json} end`;
    return query
      .selectFrom(found.as('shown_rows'))
      .select([bounded, ...keys.map((key) => sql.ref(`shown_rows.${key}`))].map(selectKeys(keys)))
      .orderBy(newestFirst('shown_rows'));
  });
  const read = rows.flatMap(({ json, ...found }) => (json === null ? [] : [{ ...found, json }]));
  return read.length < rows.length ? null : read;
}

/** Adds the conditions of a narrowing to a query; `slots` begin with its values. */
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
    const tsquery = sql`to_tsquery('simple', ${rest.shift()})`;
    all.push(sql<SqlBool>`${sql.ref(`${ROWS}.search_text`)} @@ ${tsquery}`);
  }
  if (found) all.push(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${rest.shift()}::uuid[])`);
  return all.reduce((some, condition) => some.where(condition), rows);
}

/** Returns the values of a narrowing, in the order of its slots. */
export function valuesOf({ conditions, search, found }: Narrowing): readonly unknown[] {
  const searched = [...(search === null ? [] : [search]), ...(found ? [found] : [])];
  return [...conditions.flatMap(({ operands }) => operands), ...searched];
}

/** Shape of a narrowing without conditions. */
const UNNARROWED = narrowingShape({ conditions: [], search: null });

/** Returns a narrowing without its values: the part that determines the statement. */
export function narrowingShape({ conditions, search, found }: Narrowing): string {
  return `${shapeOf(conditions)}${search === null ? '' : ' search'}${found ? ' found' : ''}`;
}

type Rows = SelectQueryBuilder<AnyTables, string, object>;
interface PageRange {
  readonly limit: RawBuilder<unknown>;
  readonly offset: RawBuilder<unknown>;
}

/**
 * Returns the rows of a page. A later page first finds its ids, in an index if there is one, and then reads only its
 * own rows. Skipped rows are not converted to JSON.
 */
function pageOf(
  query: AnyQuery,
  model: EntityModel,
  { order, fields, include }: ListQuery,
  matches: Rows,
  { limit, offset }: PageRange,
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
    .select(shownOf(query, model, fields))
    .select(keys.map((key) => sql`${sql.ref(`shown_rows.${key}`)}`.as(key)))
    .orderBy(orderSql(order, 'shown_rows'));
}

/** Returns the JSON of a row, or its id and size if it is large. Skips the size check if no row can be large. */
function shownOf(query: AnyQuery, model: EntityModel, fields: readonly string[] | null) {
  const json = rowJson(query, model, 'shown_rows', fields);
  if (mostBytes(model, fields) <= LARGEST_TOGETHER) return [json.as('json')];
  const bytes = rowBytes(model, 'shown_rows', fields);
  const isLarge = sql`${bytes} > ${sql.lit(LARGEST_TOGETHER)}`;
  return [
    sql`case when not ${isLarge} then ${json} end`.as('json'),
    sql`case when ${isLarge} then ${sql.ref('shown_rows.id')} end`.as('large_id'),
    sql`case when ${isLarge} then ${bytes} end`.as('large_bytes'),
  ];
}

/** A page that is not full is the last one, so the total is known without counting. */
function totalSql(counted: Expression<unknown>, { limit, offset }: PageRange): RawBuilder<number> {
  const seen = sql.ref('seen.count');
  return sql<number>`case when ${seen} < ${limit} and (${seen} > 0 or ${offset} = 0)
    then ${offset} + ${seen} else (${counted}) end`;
}

/** Equal values are sorted newest first. Nulls are last in both directions. */
function orderSql(order: readonly OrderStep[], table: string): RawBuilder<unknown> {
  const steps = order.map(({ field: { column, isFilled }, descends }) => {
    const value = sql.ref(`${table}.${column}`);
    if (!descends) return sql`${value}`;
    // Without nulls an index can be scanned backwards.
    return isFilled ? sql`${value} desc` : sql`${value} desc nulls last`;
  });
  return sql`${sql.join([...steps, newestFirst(table)])}`;
}

function newestFirst(table: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.created_at`)} desc, ${sql.ref(`${table}.id`)} desc`;
}

/** Returns the selected names: the record, then its keys. */
function selectKeys(keys: readonly string[]) {
  return (expression: Expression<unknown>, index: number) =>
    sql`${expression}`.as(index === 0 ? 'json' : (keys[index - 1] ?? ''));
}

/** Above this number of matches a list applies the search to each row that meets its other conditions. */
const MAX_MATCHES = 10_000;

/**
 * Returns the ids of all records that match a search, including those that the caller cannot see; null if there are
 * too many.
 */
export async function findMatches(
  db: ScopedDb,
  model: EntityModel,
  search: string,
): Promise<string[] | null> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ found: string[] | null }>`
    select tessera_match_records(${tenantId}::uuid, ${model.table}, ${search}, ${MAX_MATCHES}::int) as found`,
  );
  return rows[0]?.found ?? null;
}
