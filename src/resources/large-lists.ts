/**
 * Lists whose records may be large. A page of small rows is one response object; large rows are streamed in chunks, as
 * JSON text from the database.
 */
import { type SqlBool, sql } from 'kysely';
import { JsonText } from '../http/json-text.ts';
import { type Chunk, LargeResponse, toChunks } from '../http/large-response.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { pickMembers, withMembersOnly } from './chosen-members.ts';
import { runCompiled } from './compiled-statements.ts';
import { COLUMN_KINDS } from './fields.ts';
import { keyOf } from './keys.ts';
import type { ListSelection } from './list-conditions.ts';
import { type BoundedRow, countRecords, listOrdered, type OrderedRequest } from './lists.ts';
import type { PageReply } from './paging.ts';
import { boundedPages } from './record-pages.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { readColumns } from './view.ts';

/** Number of records read at once for a list without pages. */
const PAGE_ROWS = 100;

/** Members that a list adds to its records. */
export interface Extension {
  readonly names: readonly string[];
  /** Returns the members of each record, in the order of `keys`: the last parts of the records' keys. */
  readonly of: (keys: readonly string[]) => Promise<readonly object[]>;
}

/**
 * Returns one page of records in the order, and with the members, that the request chose.
 * @throws AppError like `listOrdered`, and for unknown members.
 */
export async function answerSortedPage<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  request: OrderedRequest,
  extension: Extension = NO_EXTENSION,
): Promise<PageReply<T['view']> | LargeResponse | JsonText> {
  const { members } = request;
  const shown = members === undefined ? resource : withMembersOnly(resource, members, extension.names);
  const added = extension.names.filter((name) => members?.includes(name) ?? true);
  const { rows, total, next } = await listOrdered(db, shown, request);
  const more = added.length === 0 ? [] : await extension.of(rows.map((row) => lastKey(resource, row)));
  const listed = rows.map((row, index) => ({ row, more: pickMembers(more[index] ?? {}, added) }));
  const counts = {
    ...(total === undefined ? {} : { total, totalPages: Math.ceil(total / request.limit) }),
    ...(next === undefined ? {} : { next }),
  };
  if (hasLarge(rows)) return new LargeResponse(db.tenantId, chunksOf(db, shown, request, listed), counts);
  const results = listed.map(({ row, more: own }) => ({ ...shown.listView(row), ...own }));
  // Serialize chosen members here: the schema of the reply would require those that the request left out.
  return members === undefined
    ? { results, ...counts }
    : new JsonText(JSON.stringify({ results, ...counts }));
}

const NO_EXTENSION: Extension = { names: [], of: async () => [] };

/**
 * Returns all matching records, newest first, as lists show them, page by page. A record that is created or deleted
 * at the same time may be included or not.
 * @throws AppError like `listRecords`.
 */
export async function answerAll<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  selection: ListSelection,
): Promise<{ results: T['view'][] } | LargeResponse> {
  const list = await readAll(db, resource, selection, noExtraMembers);
  return 'views' in list ? { results: list.views } : new LargeResponse(db.tenantId, list.chunks, {});
}

/** Like `answerAll`, but returns a top-level array. @throws AppError like `listRecords`. */
export async function answerAllAsArray<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  selection: ListSelection,
): Promise<T['view'][] | LargeResponse> {
  const list = await readAll(db, resource, selection, noExtraMembers);
  return 'views' in list ? list.views : new LargeResponse(db.tenantId, list.chunks);
}

/**
 * Returns all matching records, as `answerAll` does, with their number and the members of `extend`.
 * @throws AppError like `listRecords`.
 */
export async function answerAllWithTotal<T extends ResourceTypes, More extends object>(
  db: ScopedDb,
  resource: Resource<T>,
  selection: ListSelection,
  extend: ExtendRows<T['row'], More>,
): Promise<{ results: (T['view'] & More)[]; total: number } | LargeResponse> {
  const list = await readAll(db, resource, selection, extend);
  if ('views' in list) return { results: list.views, total: list.views.length };
  const total = await countRecords(db, resource, selection);
  return new LargeResponse(db.tenantId, list.chunks, { total });
}

/** Reads additional data for records; returns a function with the additional members of each. */
type ExtendRows<Row, More> = (rows: readonly Row[]) => Promise<(row: Row) => More>;

const noExtraMembers = async () => () => ({});

/** Returns the records as lists show them if they are few and small; otherwise as a stream of chunks. */
async function readAll<T extends ResourceTypes, More extends object>(
  db: ScopedDb,
  resource: Resource<T>,
  selection: ListSelection,
  extend: ExtendRows<T['row'], More>,
): Promise<{ readonly views: (T['view'] & More)[] } | { readonly chunks: AsyncIterable<Chunk> }> {
  const toListed = async (rows: readonly BoundedRow<T['row']>[]) => {
    const moreOf = await extend(rows);
    return rows.map((row) => ({ row, more: moreOf(row) }));
  };
  const pages = boundedPages(db, resource, selection, PAGE_ROWS);
  const { value: rows = [] } = await pages.next();
  const first = await toListed(rows);
  if (rows.length < PAGE_ROWS && !hasLarge(rows))
    return { views: first.map(({ row, more }) => ({ ...resource.listView(row), ...more })) };
  const chunks = async function* () {
    yield* chunksOf(db, resource, selection, first);
    for await (const page of pages) yield* chunksOf(db, resource, selection, await toListed(page));
  };
  return { chunks: chunks() };
}

function hasLarge(rows: readonly BoundedRow<object>[]): boolean {
  return rows.some(({ large_bytes }) => large_bytes !== null);
}

/** A row of a list, and the members to add to it. */
interface ListItem {
  readonly row: BoundedRow<object>;
  readonly more: object;
}

function chunksOf(
  db: ScopedDb,
  resource: Resource,
  { parent = [] }: ListSelection,
  listed: readonly ListItem[],
): Chunk[] {
  const isLarge = ({ row }: ListItem) => row.large_bytes !== null;
  return toChunks(
    listed,
    ({ row }) => row.large_bytes ?? 0,
    async (rows) =>
      rows.every(isLarge)
        ? readTexts(db, resource, parent, rows)
        : rows.map(({ row, more }) => JSON.stringify({ ...resource.listView(row), ...more })),
  );
}

/** Reads large records as JSON; records that have been deleted since are left out. */
async function readTexts(
  db: ScopedDb,
  resource: Resource,
  parent: readonly string[],
  listed: readonly ListItem[],
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
      const targets = columns
        .slice(0, -1)
        .reduce(
          (some, column, index) => some.where(`target.${column}`, '=', slots[index]),
          query.selectFrom(`${resource.table} as target`),
        )
        .where(sql<SqlBool>`${sql.ref(`target.${last}`)} = any (${slots.at(-1)}::${type}[])`)
        // Includes computed columns, which the table does not have.
        .select(readColumns(resource, resource.listColumns, 'target'));
      return query
        .selectFrom(targets.as('listed'))
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

/** Adds members to the JSON of an object. */
function withMembers(text: string, more: object): string {
  const members = JSON.stringify(more).slice(1, -1);
  return members === '' ? text : `${text.slice(0, -1)},${members}}`;
}

function lastKey(resource: Resource, row: object): string {
  return keyOf(resource, row).at(-1) ?? '';
}
