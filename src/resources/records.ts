/** Reading and writing versioned records. Every write and its history entry commit together. */
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors/app-error.ts';
import { VERSION_CONFLICT } from '../errors/platform-errors.ts';
import type { MemberContext } from '../http/context.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { compileFilters, contains } from './filters.ts';
import { type HistoryEntry, recordDeletion, recordVersions } from './history.ts';
import { ownerOfNew, requireRecordRole, requireRole, requireSameOwner } from './ownership.ts';
import { type ListPage, offsetOf, type PageRequest, toListPage, totalOf } from './paging.ts';
import type { RecordRow, Resource } from './resource.ts';

/** Who writes, when, and through what: a request's context, or one whose `db` is an open transaction. */
export type WriteContext = Pick<MemberContext, 'caller' | 'db' | 'now'>;

/** The resource's own columns, ready for the database (json columns as text). */
export type Columns = Readonly<Record<string, unknown>>;

/** A list request as its route has checked it. */
export interface ListRequest extends PageRequest {
  readonly search?: string | undefined;
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** What a create says beside the columns. */
export interface CreateOptions {
  /** The owner that the body names, by id or slug. */
  readonly businessUnit?: string;
  /** The owner that a parent imposes; the caller must be an editor there. */
  readonly parentUnitId?: string;
}

/** What a replace says beside the columns. */
export interface ReplaceOptions {
  readonly businessUnit?: string;
  /** The version the caller last read; a stale one is refused. */
  readonly version?: number;
}

interface AnyTables {
  [table: string]: Record<string, unknown>;
}

/** Creates a record. @throws AppError FORBIDDEN or BUSINESS_UNIT_REQUIRED by the rules of ownership. */
export async function createRecord<Row extends RecordRow, View extends object>(
  ctx: WriteContext,
  resource: Resource<Row, View>,
  columns: Columns,
  options: CreateOptions = {},
): Promise<Row> {
  const ownerBuId = options.parentUnitId ?? ownerOfNew(ctx.caller, options.businessUnit);
  requireRole(ctx.caller, ownerBuId, 'editor');
  const values = {
    ...columns,
    tenant_id: ctx.db.tenantId,
    [resource.key]: resource.newKey(),
    owner_bu_id: ownerBuId,
    version: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  return ctx.db.transaction(async (tx) => {
    const row = await anyTable(tx)
      .insertInto(resource.table)
      .values(values)
      .returningAll()
      .$castTo<Row>()
      .executeTakeFirstOrThrow();
    await recordVersions(tx, [historyEntry(resource, row)]);
    return row;
  });
}

/** The record, or null when it does not exist or belongs to a unit that the caller may not read. */
export async function findRecord<Row extends RecordRow, View extends object>(
  db: ScopedDb,
  resource: Resource<Row, View>,
  key: string,
): Promise<Row | null> {
  if (!resource.isKey(key)) return null;
  const [row] = await anyTable(db)
    .selectFrom(resource.table)
    .selectAll()
    .where(resource.key, '=', key)
    .$castTo<Row>()
    .execute();
  return row ?? null;
}

/** The record. @throws AppError of the resource's `notFound` when there is none to see. */
export async function getRecord<Row extends RecordRow, View extends object>(
  db: ScopedDb,
  resource: Resource<Row, View>,
  key: string,
): Promise<Row> {
  const row = await findRecord(db, resource, key);
  if (row === null) throw new AppError(resource.notFound);
  return row;
}

/** One page of records, newest first. */
export async function listRecords<Row extends RecordRow, View extends object>(
  db: ScopedDb,
  resource: Resource<Row, View>,
  request: ListRequest,
): Promise<ListPage<Row>> {
  const conditions = [
    ...compileFilters(resource.filters, request.filters ?? {}),
    ...searchConditions(resource, request.search),
  ];
  const matching = () => {
    const all = anyTable(db).selectFrom(resource.table);
    return conditions.reduce((query, condition) => query.where(condition), all);
  };
  const rows = await matching()
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy(resource.key, 'desc')
    .limit(request.limit)
    .offset(offsetOf(request))
    .$castTo<Row>()
    .execute();
  const total = await totalOf(request, rows.length, async () => {
    const counted = await matching().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return counted.total;
  });
  return toListPage(rows, total, request);
}

/** One page of records as their GET shows them, newest first. */
export async function listViews<Row extends RecordRow, View extends object>(
  db: ScopedDb,
  resource: Resource<Row, View>,
  request: ListRequest,
): Promise<ListPage<View>> {
  const { results, ...counts } = await listRecords(db, resource, request);
  return { results: results.map(resource.view), ...counts };
}

/**
 * Replaces the resource's own columns with what `change` makes of the current record, as a new version.
 * @throws AppError notFound, FORBIDDEN, OWNER_IMMUTABLE or VERSION_CONFLICT.
 */
export async function replaceRecord<Row extends RecordRow, View extends object>(
  ctx: WriteContext,
  resource: Resource<Row, View>,
  key: string,
  options: ReplaceOptions,
  change: (current: Row, tx: ScopedDb) => Promise<Columns> | Columns,
): Promise<Row> {
  return ctx.db.transaction(async (tx) => {
    const current = await lockRecord(tx, resource, key);
    requireRecordRole(ctx.caller, current, 'editor');
    requireSameOwner(ctx.caller, current.owner_bu_id, options.businessUnit);
    requireVersion(current, options.version);
    const columns = await change(current, tx);
    const row = await anyTable(tx)
      .updateTable(resource.table)
      .set({ ...columns, version: current.version + 1, updated_at: ctx.now })
      .where(resource.key, '=', key)
      .returningAll()
      .$castTo<Row>()
      .executeTakeFirstOrThrow();
    await recordVersions(tx, [historyEntry(resource, row)]);
    return row;
  });
}

/** Deletes a record; its history stays. @throws AppError notFound or FORBIDDEN (deleting needs the admin role). */
export async function deleteRecord<Row extends RecordRow, View extends object>(
  ctx: WriteContext,
  resource: Resource<Row, View>,
  key: string,
): Promise<Row> {
  return ctx.db.transaction(async (tx) => {
    const current = await lockRecord(tx, resource, key);
    requireRecordRole(ctx.caller, current, 'admin');
    await anyTable(tx).deleteFrom(resource.table).where(resource.key, '=', key).execute();
    await recordDeletion(tx, { ...historyEntry(resource, current), recordedAt: ctx.now });
    return current;
  });
}

/**
 * A key generator and test for resources whose ids are UUIDv7, in small letters: PostgreSQL would find a row by
 * capitals too, but history and sealed secrets go by an id's text.
 */
export const uuidKeys = {
  newKey: () => uuidv7(),
  isKey: (key: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key),
};

function historyEntry<Row extends RecordRow, View extends object>(
  resource: Resource<Row, View>,
  row: Row,
): HistoryEntry {
  return {
    entityType: resource.entityType,
    sortKey: keyOf(resource, row),
    version: row.version,
    ownerBuId: row.shared === true ? null : row.owner_bu_id,
    recordedAt: row.updated_at,
    data: resource.view(row),
  };
}

/** The key under which a row is named in paths and in history. */
export function keyOf<Row extends RecordRow, View extends object>(
  resource: Resource<Row, View>,
  row: Row,
): string {
  const [, key] = Object.entries(row).find(([column]) => column === resource.key) ?? [];
  return String(key);
}

async function lockRecord<Row extends RecordRow, View extends object>(
  tx: ScopedDb,
  resource: Resource<Row, View>,
  key: string,
): Promise<Row> {
  if (!resource.isKey(key)) throw new AppError(resource.notFound);
  const [row] = await anyTable(tx)
    .selectFrom(resource.table)
    .selectAll()
    .where(resource.key, '=', key)
    .forUpdate()
    .$castTo<Row>()
    .execute();
  if (!row) throw new AppError(resource.notFound);
  return row;
}

function requireVersion(current: RecordRow, version: number | undefined): void {
  if (version !== undefined && version !== current.version) throw new AppError(VERSION_CONFLICT);
}

/** Every word must occur in one of the searched columns (decisions section 4). */
function searchConditions<Row extends RecordRow, View extends object>(
  resource: Resource<Row, View>,
  search: string | undefined,
): Expression<SqlBool>[] {
  if (resource.search.length === 0) return [];
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    const matches = resource.search.map((column) => contains(sql.ref(column), word));
    return sql<SqlBool>`(${sql.join(matches, sql` or `)})`;
  });
}

/** The scoped builder, for tables known only by their resource. */
function anyTable(db: ScopedDb): Kysely<AnyTables> {
  return db.query.withTables<AnyTables>();
}
