/**
 * Records inside a parent record, which are deleted and copied with it, in batches of limited size. Each record gets
 * its own history entries.
 */
import { expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { NIL } from 'uuid';
import type { ActorRecord } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { tenantRowOf } from '../tenancy/tenant-row.ts';
import { type AnyQuery, type AnyTables, runCompiled } from './compiled-statements.ts';
import { COLUMN_KINDS } from './fields.ts';
import { chooseSlot, withTotals } from './record-totals.ts';
import type { Resource } from './resource.ts';
import { storedColumns, withComputed, withHistory } from './statements.ts';

/** Maximum size of a batch, in stored bytes; a single record may be larger. */
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * A kind of record inside a parent. Its first key column identifies the parent; a second one identifies the record if
 * a parent can have several.
 */
export interface Contents {
  readonly resource: Resource;
  /** False: the records are deleted with their parent, but not copied with it. */
  readonly isCopied?: false;
  /** The records are models: a sync copies their changes from a template to the projects that were created from it. */
  readonly isModel?: true;
  /**
   * SQL condition on the columns of `table` for the records that are deleted and copied with the parent. Default: all.
   */
  readonly isPart?: (table: string) => RawBuilder<SqlBool>;
  /** Creates the related rows of copied records, in the same transaction. */
  readonly copyRelated?: (tx: ScopedDb, copy: CopiedRecords) => Promise<void>;
  /**
   * Removes the related rows of deleted records, in the same transaction; not needed for rows with a cascading foreign
   * key.
   */
  readonly deleteRelated?: (tx: ScopedDb, deleted: DeletedRecords) => Promise<void>;
}

/** Records copied from parent `from` to parent `to`; their keys within the parent stay the same. */
export interface CopiedRecords {
  readonly from: string;
  readonly to: string;
  readonly ids: readonly string[];
}

/** Deleted records, by their keys within the parent. */
export interface DeletedRecords {
  readonly parent: string;
  readonly ids: readonly string[];
}

/** The actor and time for history. */
export interface Authorship {
  readonly actor: ActorRecord;
  readonly now: Date;
}

/** A request to copy records between parents: those after the key `after`, or from the first one. */
export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** The unit that owns the copies. */
  readonly ownerId: string;
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Deletes at most `limit` records of a parent with their related rows and returns their number. Call it in a
 * transaction.
 */
export async function deleteContents(
  tx: ScopedDb,
  contents: Contents,
  parent: string,
  { actor, now }: Authorship,
  limit: number,
): Promise<number> {
  const { resource } = contents;
  const id = idOf(resource);
  const values = [
    now,
    JSON.stringify(actor),
    parent,
    firstOf(resource),
    limit,
    ...chooseSlot('delete', resource),
  ];
  const ids = await runBatch(tx, resource, 'delete contents', values, (query, slots) => {
    const [moment, actorSlot, parentSlot, after, most, totalSlot] = slots;
    const batch = query.with('batch', (q) =>
      nextRecords(q, contents, [parentSlot, after, most], resource.key.columns),
    );
    const written = withComputed(resource, (into) =>
      batch.with(into, (q) =>
        q
          .deleteFrom(`${resource.table} as target`)
          .where(sql<SqlBool>`${sql.ref(`target.${parentOf(resource)}`)} = ${parentSlot}`)
          .where(isPartOf(contents, 'target'))
          .where(id === undefined ? sql<SqlBool>`true` : isUpToLast(resource, id, after))
          .returning(storedColumns(resource, 'target')),
      ),
    );
    return withTotals(
      withHistory(written, { resource, moment, actor: actorSlot }, true),
      'delete',
      resource,
      totalSlot,
    );
  });
  if (ids.length > 0) await contents.deleteRelated?.(tx, { parent, ids });
  return ids.length;
}

/**
 * Copies some records of a parent into another, in key order. Returns the last copied key, or null when there are no
 * more. A copy keeps the creation time of its original, so that orders by time stay the same.
 */
export async function copyContents(
  tx: ScopedDb,
  contents: Contents,
  { from, to, ownerId, after, limit }: CopyRequest,
  { actor, now }: Authorship,
): Promise<string | null> {
  const { resource } = contents;
  const last = after ?? firstOf(resource);
  const values = [
    now,
    JSON.stringify(actor),
    from,
    last,
    limit,
    to,
    ownerId,
    ...chooseSlot('insert', resource),
  ];
  const ids = await runBatch(tx, resource, 'copy contents', values, (query, slots) => {
    const [moment, actorSlot, source, next, most, target, owner, totalSlot] = slots;
    const stored = resource.columns.filter(
      (column) => column !== 'tenant_id' && !resource.computed.has(column),
    );
    const changed = new Map([
      [parentOf(resource), sql`${target}::text`],
      ['owner_bu_id', sql`${owner}::uuid`],
      ['version', sql`1`],
      ['updated_at', sql`${moment}::timestamptz`],
    ]);
    const batch = query.with('batch', (q) => nextRecords(q, contents, [source, next, most], stored));
    const written = withComputed(resource, (into) =>
      batch.with(into, (q) => insertBatch(q, resource, stored, changed)),
    );
    const recorded = withHistory(written, { resource, moment, actor: actorSlot }, false);
    return withTotals(recorded, 'insert', resource, totalSlot);
  });
  if (ids.length > 0) await contents.copyRelated?.(tx, { from, to, ids });
  return idOf(resource) === undefined ? null : (ids.at(-1) ?? null);
}

type Values = readonly unknown[];

/** Runs a query with a part `written`; returns the keys of that part's rows within their parent, sorted. */
async function runBatch(
  tx: ScopedDb,
  resource: Resource,
  shape: string,
  values: Values,
  build: (query: AnyQuery, slots: Values) => AnyQuery,
): Promise<string[]> {
  const key = sql.ref(`written.${idOf(resource) ?? parentOf(resource)}`);
  const rows = await runCompiled<{ id: string }>(tx, resource, shape, values, (query, slots) =>
    build(query, slots).selectFrom('written').select(key.as('id')).orderBy(key),
  );
  return rows.map(({ id }) => id);
}

/**
 * Columns of the next records under a parent, in key order. `after` is always given, so that the planner chooses the
 * key's index whatever its statistics. Sizes are computed without reading large values.
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
  if (id === undefined) return all.limit(sql<number>`${limit}::int`);
  const idColumn = sql.ref(`${table}.${id}`);
  const next = all
    .where(sql<SqlBool>`${idColumn} > ${after}::${sql.raw(COLUMN_KINDS[kinds.get(id) ?? 'text'].type)}`)
    .orderBy(idColumn)
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
    .where(sql<SqlBool>`summed.place_ = 1 or summed.sum_ <= ${sql.lit(BATCH_BYTES)}`);
}

/**
 * True if the key of a target is in the batch, whose keys are consecutive. It compares a range: with a join or a list
 * and no statistics, the planner may scan all records of the parent for each record.
 */
function isUpToLast({ kinds }: Resource, id: string, after: unknown): RawBuilder<SqlBool> {
  const [key, type] = [sql.ref(`target.${id}`), sql.raw(COLUMN_KINDS[kinds.get(id) ?? 'text'].type)];
  const last = expressionBuilder<AnyTables, never>()
    .selectFrom('batch')
    .select(`batch.${id}`)
    .orderBy(`batch.${id}`, 'desc')
    .limit(1);
  return sql<SqlBool>`${key} > ${after}::${type} and ${key} <= ${last}`;
}

/** The stored size of a row's large values. */
function sizeOf({ table, columns, computed, kinds }: Resource): RawBuilder<unknown> {
  const long = columns.filter(
    (column) => !computed.has(column) && ['text', 'json'].includes(kinds.get(column) ?? ''),
  );
  const sizes = long.map((column) => sql`coalesce(pg_column_size(${sql.ref(`${table}.${column}`)}), 0)`);
  return sql`${sql.join(sizes, sql` + `)}`;
}

/** Inserts the batch with some columns changed. */
function insertBatch(
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
          .selectFrom('batch')
          .crossJoin(tenantRowOf)
          .select('tenant_row.tenant_id')
          .select(stored.map((column) => (changed.get(column) ?? sql.ref(`batch.${column}`)).as(column))),
      )
      // An insert names the table without its schema.
      .returning(storedColumns(resource, table.replace(/^.*[.]/, '')))
  );
}

function isPartOf({ isPart }: Contents, table: string): RawBuilder<SqlBool> {
  return isPart?.(table) ?? sql<SqlBool>`true`;
}

/** Returns a value that sorts before every key within a parent. */
function firstOf(resource: Resource): string {
  return resource.kinds.get(idOf(resource) ?? '') === 'uuid' ? NIL : '';
}

/** Returns the column with the parent's key. @throws Error if there is none. */
function parentOf({ key, table }: Resource): string {
  const [parent] = key.columns;
  if (parent === undefined) throw new Error(`The key of ${table} has no column for a parent.`);
  return parent;
}

/** Returns the key column within the parent; undefined if a parent has only one such record. */
function idOf({ key }: Resource): string | undefined {
  return key.columns[1];
}
