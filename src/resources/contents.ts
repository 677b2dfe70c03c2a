/**
 * Records that live in another one and go and are copied with it, by portions: there may be any number of them. Each
 * leaves history as if it were written by itself.
 */
import { expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { NIL } from 'uuid';
import type { ActorRecord } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { homeOf } from '../tenancy/tenant-home.ts';
import { type AnyQuery, type AnyTables, runCompiled } from './compiled.ts';
import { COLUMN_KINDS } from './fields.ts';
import { slotOf, withTotals } from './kept-totals.ts';
import type { Resource } from './resource.ts';
import { storedColumns, withComputed, withHistory } from './statements.ts';

/** What a portion has at most, unless it is a single record: as rows are stored, in bytes. */
const PORTION_OCTETS = 8 * 1024 * 1024;

/** A kind of record that lives in a parent. The first column of its key names the parent, the second the record, if there are several. */
export interface Contents {
  readonly resource: Resource;
  /** They go with their parent, but are not copied with it. */
  readonly isCopied?: false;
  /** Handed on from a template to the projects that were made from it. */
  readonly isModel?: true;
  /** Which of the records under a parent go and are copied with it, over the columns of `table`. Default: all. */
  readonly isPart?: (table: string) => RawBuilder<SqlBool>;
  /** Makes what copied records have beside their rows, in the same transaction. */
  readonly copied?: (tx: ScopedDb, copy: Copied) => Promise<void>;
  /**
   * Removes what deleted records had beside their rows, in the same transaction; not needed for what a foreign key to them
   * removes.
   */
  readonly deleted?: (tx: ScopedDb, deleted: Deleted) => Promise<void>;
}

/** Records that were copied: their keys within the parent are the same in both. */
export interface Copied {
  readonly from: string;
  readonly to: string;
  readonly ids: readonly string[];
}

/** Records that were deleted, by their keys within the parent. */
export interface Deleted {
  readonly parent: string;
  readonly ids: readonly string[];
}

/** By whom and when history says that it was done. */
export interface Note {
  readonly who: ActorRecord;
  readonly now: Date;
}

/** What to copy: the records after a key, or from the first one on. */
export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** The unit that owns the copies. */
  readonly ownerId: string;
  readonly after: string | null;
  readonly limit: number;
}

/** Deletes some of what lives in a parent, at most `limit`; how many that were. In a transaction: what is beside the rows goes too. */
export async function deleteContents(
  tx: ScopedDb,
  contents: Contents,
  parent: string,
  { who, now }: Note,
  limit: number,
): Promise<number> {
  const { resource } = contents;
  const id = idOf(resource);
  const values = [now, JSON.stringify(who), parent, firstOf(resource), limit, ...slotOf('delete', resource)];
  const ids = await runPortion(tx, resource, 'delete contents', values, (query, slots) => {
    const [moment, by, of, after, most, slot] = slots;
    const portion = query.with('portion', (q) =>
      nextRecords(q, contents, [of, after, most], resource.key.columns),
    );
    const written = withComputed(resource, (into) =>
      portion.with(into, (q) =>
        q
          .deleteFrom(`${resource.table} as target`)
          .where(sql<SqlBool>`${sql.ref(`target.${parentOf(resource)}`)} = ${of}`)
          .where(isPartOf(contents, 'target'))
          .where(id === undefined ? sql<SqlBool>`true` : isUpToLast(resource, id, after))
          .returning(storedColumns(resource, 'target')),
      ),
    );
    return withTotals(withHistory(written, { resource, moment, who: by }, true), 'delete', resource, slot);
  });
  if (ids.length > 0) await contents.deleted?.(tx, { parent, ids });
  return ids.length;
}

/**
 * Copies some of what lives in a parent into another, in the order of their keys: the last key of those that were copied, or
 * null when there was nothing more. A copy says when its original was made, so that whatever goes by that keeps its order.
 */
export async function copyContents(
  tx: ScopedDb,
  contents: Contents,
  { from, to, ownerId, after, limit }: CopyRequest,
  { who, now }: Note,
): Promise<string | null> {
  const { resource } = contents;
  const last = after ?? firstOf(resource);
  const values = [now, JSON.stringify(who), from, last, limit, to, ownerId, ...slotOf('insert', resource)];
  const ids = await runPortion(tx, resource, 'copy contents', values, (query, slots) => {
    const [moment, by, source, next, most, target, owner, slot] = slots;
    const stored = resource.columns.filter(
      (column) => column !== 'tenant_id' && !resource.computed.has(column),
    );
    const changed = new Map([
      [parentOf(resource), sql`${target}::text`],
      ['owner_bu_id', sql`${owner}::uuid`],
      ['version', sql`1`],
      ['updated_at', sql`${moment}::timestamptz`],
    ]);
    const portion = query.with('portion', (q) => nextRecords(q, contents, [source, next, most], stored));
    const written = withComputed(resource, (into) =>
      portion.with(into, (q) => insertPortion(q, resource, stored, changed)),
    );
    const noted = withHistory(written, { resource, moment, who: by }, false);
    return withTotals(noted, 'insert', resource, slot);
  });
  if (ids.length > 0) await contents.copied?.(tx, { from, to, ids });
  return idOf(resource) === undefined ? null : (ids.at(-1) ?? null);
}

type Values = readonly unknown[];

/** Runs what gives `written`; the keys of its rows within their parent, in their order. */
async function runPortion(
  tx: ScopedDb,
  resource: Resource,
  shape: string,
  values: Values,
  build: (query: AnyQuery, slots: Values) => AnyQuery,
): Promise<string[]> {
  const name = sql.ref(`written.${idOf(resource) ?? parentOf(resource)}`);
  const rows = await runCompiled<{ id: string }>(tx, resource, shape, values, (query, slots) =>
    build(query, slots).selectFrom('written').select(name.as('id')).orderBy(name),
  );
  return rows.map(({ id }) => id);
}

/**
 * Columns of the next records under a parent, in the order of their keys. `after` is always given: with it the index of keys is
 * the planner's choice, whatever it knows of the table. How large records are is told without reading what is long.
 */
function nextRecords(
  query: AnyQuery,
  contents: Contents,
  [parent, after, limit]: Values,
  columns: readonly string[],
) {
  const { resource } = contents;
  const { table, kinds } = resource;
  const id = idOf(resource);
  const all = query
    .selectFrom(table)
    .select(columns.map((column) => sql.ref(`${table}.${column}`).as(column)))
    .where(sql<SqlBool>`${sql.ref(`${table}.${parentOf(resource)}`)} = ${parent}`)
    .where(isPartOf(contents, table));
  // The values have a place in the statement, whether they are of use or not.
  if (id === undefined)
    return all.where(sql<SqlBool>`${after}::text is not null`).limit(sql<number>`${limit}::int`);
  const place = sql.ref(`${table}.${id}`);
  const next = all
    .where(sql<SqlBool>`${place} > ${after}::${sql.raw(COLUMN_KINDS[kinds.get(id) ?? 'text'].type)}`)
    .orderBy(place)
    .limit(sql<number>`${limit}::int`)
    .select(sizeOf(resource).as('size_'))
    .as('next');
  const order = sql.ref(`next.${id}`);
  const summed = query
    .selectFrom(next)
    .selectAll()
    .select(sql`sum(next.size_) over (order by ${order})`.as('sum_'))
    .select(sql`row_number() over (order by ${order})`.as('place_'))
    .as('summed');
  return query
    .selectFrom(summed)
    .select(columns.map((column) => sql.ref(`summed.${column}`).as(column)))
    .where(sql<SqlBool>`summed.place_ = 1 or summed.sum_ <= ${sql.lit(PORTION_OCTETS)}`);
}

/**
 * Whether the key of a target is among those of the portion, which follow each other. Told by a range, as of a join or a list the
 * planner, while it knows nothing of the table, may make a walk over all that lives in the parent for each record.
 */
function isUpToLast({ kinds }: Resource, id: string, after: unknown): RawBuilder<SqlBool> {
  const [key, type] = [sql.ref(`target.${id}`), sql.raw(COLUMN_KINDS[kinds.get(id) ?? 'text'].type)];
  const last = expressionBuilder<AnyTables, never>()
    .selectFrom('portion')
    .select(`portion.${id}`)
    .orderBy(`portion.${id}`, 'desc')
    .limit(1);
  return sql<SqlBool>`${key} > ${after}::${type} and ${key} <= ${last}`;
}

/** What the values of a row take that may be long, as they are stored. */
function sizeOf({ table, columns, computed, kinds }: Resource): RawBuilder<unknown> {
  const long = columns.filter(
    (column) => !computed.has(column) && ['text', 'json'].includes(kinds.get(column) ?? ''),
  );
  const sizes = long.map((column) => sql`coalesce(pg_column_size(${sql.ref(`${table}.${column}`)}), 0)`);
  return sql`${sql.join(sizes, sql` + `)}`;
}

/** Inserts the portion with some columns changed. */
function insertPortion(
  query: AnyQuery,
  resource: Resource,
  stored: readonly string[],
  changed: ReadonlyMap<string, RawBuilder<unknown>>,
) {
  const { table } = resource;
  return (
    query
      .insertInto(table)
      .columns(['tenant_id', ...stored])
      .expression((eb) =>
        eb
          .selectFrom('portion')
          .crossJoin(homeOf)
          .select('home.tenant_id')
          .select(stored.map((column) => (changed.get(column) ?? sql.ref(`portion.${column}`)).as(column))),
      )
      // An insert calls the table by its name alone, without the schema.
      .returning(storedColumns(resource, table.replace(/^.*[.]/, '')))
  );
}

function isPartOf({ isPart }: Contents, table: string): RawBuilder<SqlBool> {
  return isPart?.(table) ?? sql<SqlBool>`true`;
}

/** What comes before every key within a parent. */
function firstOf(resource: Resource): string {
  return resource.kinds.get(idOf(resource) ?? '') === 'uuid' ? NIL : '';
}

/** The column that names the parent. @throws Error when nothing does. */
function parentOf({ key, table }: Resource): string {
  const [parent] = key.columns;
  if (parent === undefined) throw new Error(`The records of ${table} live in nothing.`);
  return parent;
}

/** The column that tells records of one parent apart; none: there is one. */
function idOf({ key }: Resource): string | undefined {
  return key.columns[1];
}
