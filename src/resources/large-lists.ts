/**
 * Lists of records that may be large: a page whose rows are small is answered as any list; of the others those that are
 * large go out by portions, as JSON that the database makes.
 */
import { type SqlBool, sql } from 'kysely';
import { JsonText } from '../http/json-text.ts';
import { LargeAnswer, type Portion, toPortions } from '../http/large-answer.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { withMembersOnly } from './chosen-members.ts';
import { runCompiled } from './compiled.ts';
import { COLUMN_KINDS } from './fields.ts';
import { keyOf } from './keys.ts';
import type { Narrowing } from './list-conditions.ts';
import {
  type BoundedRow,
  countRecords,
  type ListRequest,
  listBounded,
  listOrdered,
  type OrderedRequest,
} from './lists.ts';
import type { AnsweredPage, ListPage } from './paging.ts';
import { boundedPages } from './record-pages.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { readColumns } from './view.ts';

/** Of a list without pages so many records are read at once. */
const PAGE_ROWS = 100;

/** What each record shows beside its own, by the last parts of the keys, in their order. */
export type Extend = (keys: readonly string[]) => Promise<readonly object[]>;

/** One page of records as lists show them. @throws AppError as `listRecords`. */
export async function answerList<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  request: ListRequest,
  extend?: Extend,
): Promise<ListPage<T['view']> | LargeAnswer> {
  const { results: rows, ...counts } = await listBounded(db, resource, request);
  const more = (await extend?.(rows.map((row) => lastKey(resource, row)))) ?? [];
  const listed = rows.map((row, place) => ({ row, more: more[place] ?? {} }));
  return hasLarge(rows)
    ? new LargeAnswer(db.tenantId, portionsOf(db, resource, request, listed), counts)
    : { results: listed.map(({ row, more: own }) => ({ ...resource.listView(row), ...own })), ...counts };
}

/** What each record shows beside its own, and the names of those members. */
export interface Extension {
  readonly names: readonly string[];
  readonly of: Extend;
}

/**
 * One page of records in the order, and with the members, that the request chose.
 * @throws AppError as `listOrdered`, and for members that the records do not have.
 */
export async function answerOrdered<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  request: OrderedRequest,
  extension: Extension = NO_EXTENSION,
): Promise<AnsweredPage<T['view']> | LargeAnswer | JsonText> {
  const { members } = request;
  const shown = members === undefined ? resource : withMembersOnly(resource, members, extension.names);
  const added = extension.names.filter((name) => members?.includes(name) ?? true);
  const { rows, total, next } = await listOrdered(db, shown, request);
  const more = added.length === 0 ? [] : await extension.of(rows.map((row) => lastKey(resource, row)));
  const listed = rows.map((row, place) => ({ row, more: chosen(more[place] ?? {}, added) }));
  const counts = {
    ...(total === undefined ? {} : { total, totalPages: Math.ceil(total / request.limit) }),
    ...(next === undefined ? {} : { next }),
  };
  if (hasLarge(rows)) return new LargeAnswer(db.tenantId, portionsOf(db, shown, request, listed), counts);
  const results = listed.map(({ row, more: own }) => ({ ...shown.listView(row), ...own }));
  // The reply's schema requires what the request left out.
  return members === undefined
    ? { results, ...counts }
    : new JsonText(JSON.stringify({ results, ...counts }));
}

const NO_EXTENSION: Extension = { names: [], of: async () => [] };

function chosen(more: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(more).filter(([name]) => names.includes(name)));
}

/**
 * All records that match, newest first, as lists show them. More than are read at once go out page by page, however many
 * they are: one that comes or goes meanwhile may be in it or not.
 * @throws AppError as `listRecords`.
 */
export async function answerWholeList<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  narrowing: Narrowing,
): Promise<{ results: T['view'][] } | LargeAnswer> {
  const whole = await readWhole(db, resource, narrowing, nothingMore);
  return 'views' in whole ? { results: whole.views } : new LargeAnswer(db.tenantId, whole.portions, {});
}

/** The same as an array of its own. @throws AppError as `listRecords`. */
export async function answerWholeArray<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  narrowing: Narrowing,
): Promise<T['view'][] | LargeAnswer> {
  const whole = await readWhole(db, resource, narrowing, nothingMore);
  return 'views' in whole ? whole.views : new LargeAnswer(db.tenantId, whole.portions);
}

/** The same with how many they are, and with what `extend` tells of each beside its own. @throws AppError as `listRecords`. */
export async function answerCountedList<T extends ResourceTypes, More extends object>(
  db: ScopedDb,
  resource: Resource<T>,
  narrowing: Narrowing,
  extend: ExtendRows<T['row'], More>,
): Promise<{ results: (T['view'] & More)[]; total: number } | LargeAnswer> {
  const whole = await readWhole(db, resource, narrowing, extend);
  if ('views' in whole) return { results: whole.views, total: whole.views.length };
  const total = await countRecords(db, resource, narrowing);
  return new LargeAnswer(db.tenantId, whole.portions, { total });
}

/** Finds out what each of some records shows beside its own. */
type ExtendRows<Row, More> = (rows: readonly Row[]) => Promise<(row: Row) => More>;

const nothingMore = async () => () => ({});

/** The records as lists show them where they are few and small; else in portions, page after page. */
async function readWhole<T extends ResourceTypes, More extends object>(
  db: ScopedDb,
  resource: Resource<T>,
  narrowing: Narrowing,
  extend: ExtendRows<T['row'], More>,
): Promise<{ readonly views: (T['view'] & More)[] } | { readonly portions: AsyncIterable<Portion> }> {
  const toListed = async (rows: readonly BoundedRow<T['row']>[]) => {
    const moreOf = await extend(rows);
    return rows.map((row) => ({ row, more: moreOf(row) }));
  };
  const pages = boundedPages(db, resource, narrowing, PAGE_ROWS);
  const { value: rows = [] } = await pages.next();
  const first = await toListed(rows);
  if (rows.length < PAGE_ROWS && !hasLarge(rows))
    return { views: first.map(({ row, more }) => ({ ...resource.listView(row), ...more })) };
  const portions = async function* () {
    yield* portionsOf(db, resource, narrowing, first);
    for await (const page of pages) yield* portionsOf(db, resource, narrowing, await toListed(page));
  };
  return { portions: portions() };
}

function hasLarge(rows: readonly BoundedRow<object>[]): boolean {
  return rows.some(({ large_octets }) => large_octets !== null);
}

/** What lists show of a record beside its own. */
interface Listed {
  readonly row: BoundedRow<object>;
  readonly more: object;
}

function portionsOf(
  db: ScopedDb,
  resource: Resource,
  { parent = [] }: Narrowing,
  listed: readonly Listed[],
): Portion[] {
  const isLarge = ({ row }: Listed) => row.large_octets !== null;
  return toPortions(
    listed,
    ({ row }) => row.large_octets ?? 0,
    async (rows) =>
      rows.every(isLarge)
        ? readTexts(db, resource, parent, rows)
        : rows.map(({ row, more }) => JSON.stringify({ ...resource.listView(row), ...more })),
  );
}

/** Large records as JSON; those that have been deleted meanwhile are left out. */
async function readTexts(
  db: ScopedDb,
  resource: Resource,
  parent: readonly string[],
  listed: readonly Listed[],
): Promise<string[]> {
  const { columns } = resource.key;
  const last = columns.at(-1) ?? '';
  const type = sql.raw(COLUMN_KINDS[resource.kinds.get(last) ?? 'text'].type);
  const keys = listed.map(({ row }) => lastKey(resource, row));
  const rows = await runCompiled<{ key: string; shown: string }>(
    db,
    resource,
    'texts',
    [...parent, keys],
    (query, slots) => {
      const wanted = columns
        .slice(0, -1)
        .reduce(
          (some, column, place) => some.where(`target.${column}`, '=', slots[place]),
          query.selectFrom(`${resource.table} as target`),
        )
        .where(sql<SqlBool>`${sql.ref(`target.${last}`)} = any (${slots.at(-1)}::${type}[])`)
        // With what is computed, which the table does not have.
        .select(readColumns(resource, resource.listColumns, 'target'));
      return query
        .selectFrom(wanted.as('listed'))
        .select([
          sql<string>`${sql.ref(`listed.${last}`)}::text`.as('key'),
          sql<string>`${resource.sqlListView('listed')}::text`.as('shown'),
        ]);
    },
  );
  const texts = new Map(rows.map(({ key, shown }) => [key, shown]));
  return listed.flatMap(({ row, more }) => {
    const text = texts.get(lastKey(resource, row));
    return text === undefined ? [] : [withMembers(text, more)];
  });
}

/** An object's JSON with more members. */
function withMembers(text: string, more: object): string {
  const members = JSON.stringify(more).slice(1, -1);
  return members === '' ? text : `${text.slice(0, -1)},${members}}`;
}

function lastKey(resource: Resource, row: object): string {
  return keyOf(resource, row).at(-1) ?? '';
}
