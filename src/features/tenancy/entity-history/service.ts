import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { LargeResponse, toChunks } from '../../../http/large-response.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import { readFilters, searchWords } from '../../../resources/filters.ts';
import type { HistoryDetail } from '../../../resources/history.ts';
import { type ListPage, toListPage, totalOf } from '../../../resources/paging.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { namesOfMembers } from '../memberships/index.ts';
import { countDeletedItems, DELETED_FILTERS, listDeletedItems } from './deleted-queries.ts';
import {
  type DeletedRow,
  type EntryKey,
  findFullKeys,
  findNewestEntry,
  lacksProject,
  listDeleted,
  listVersions,
  readData,
  type VersionRow,
} from './queries.ts';
import { type Restorer, restorabilityOf } from './restorers.ts';
import {
  type DeletedItem,
  type DeletedListQuery,
  type DeletedRecord,
  type ListedVersion,
  MAX_VERSION,
  type RecordQuery,
  type RecordSummary,
  type ShownActor,
  type VersionListQuery,
  type VersionRecord,
} from './schema.ts';
import { isPage, listVersionPage } from './version-pages.ts';
import { kindVisibilityOf, visibilityOf } from './visibility.ts';

/** Maximum number of entries in a list of deleted records (docs/specification/history.md#deleted-records). */
const MAX_DELETED = 1000;

/** Additional data of versions, by kind of record. */
export type Details = ReadonlyMap<EntityType, HistoryDetail>;

/** Returns all versions of a record in ascending order, or a page of them; none for an unknown record. */
export async function readVersions(
  ctx: MemberContext,
  details: Details,
  listQuery: VersionListQuery,
): Promise<ListedVersion[] | LargeResponse> {
  const query = { ...listQuery, ...(await withFullKey(ctx, listQuery)) };
  const detail = details.get(query.entityType);
  if (isPage(query))
    return withNames(
      ctx,
      await listVersionPage(historyDb(ctx), visibilityOf(ctx.caller, query.entityType), query, detail),
    );
  const rows = await withNames(
    ctx,
    await listVersions(historyDb(ctx), visibilityOf(ctx.caller, query.entityType), query, detail),
  );
  const entries = rows.map((row) => ({
    row,
    key: { sort_key: query.entitySortKey, version: row.version, deleted: false },
    shown: toVersion(row),
  }));
  return answer(ctx, query.entityType, detail, entries, 'data');
}

/** Returns one version. `version` is an integer of any size, as text. @throws AppError NOT_FOUND. */
export async function readVersion(
  ctx: MemberContext,
  details: Details,
  recordQuery: RecordQuery,
  version: string,
): Promise<VersionRecord> {
  const wantedVersion = Number(version);
  if (wantedVersion < 0 || wantedVersion > MAX_VERSION) throw new AppError(NOT_FOUND);
  const query = await withFullKey(ctx, recordQuery);
  const visibility = visibilityOf(ctx.caller, query.entityType);
  const detail = details.get(query.entityType);
  const rows = await listVersions(historyDb(ctx), visibility, query, detail, wantedVersion);
  const [row] = await withNames(ctx, rows);
  if (!row) throw new AppError(NOT_FOUND);
  return toVersion(row);
}

/**
 * Returns the newest entry of a record, and what can be restored. `restorers` has the kinds that can be restored.
 * @throws AppError NOT_FOUND.
 */
export async function readSummary(
  ctx: MemberContext,
  restorers: ReadonlyMap<EntityType, Restorer>,
  recordQuery: RecordQuery,
): Promise<RecordSummary> {
  const query = await withFullKey(ctx, recordQuery);
  const { entityType, entitySortKey } = query;
  const newest = await findNewestEntry(historyDb(ctx), visibilityOf(ctx.caller, entityType), query);
  const [entry] = await withNames(ctx, newest === undefined ? [] : [newest]);
  if (entry === undefined) throw new AppError(NOT_FOUND);
  const { title, version, deleted, recorded_at, actor } = entry;
  const { refusal, fields } = restorabilityOf(entityType, restorers.get(entityType), deleted);
  return {
    entity_type: entityType,
    key: entitySortKey,
    title,
    version,
    deleted_at: deleted ? recorded_at : null,
    actor,
    refusal,
    restorable_fields: fields === null ? null : [...fields],
  };
}

/** True if a record exists that the caller can see. */
export async function recordExistsFor(ctx: MemberContext, query: RecordQuery): Promise<boolean> {
  const visibility = visibilityOf(ctx.caller, query.entityType);
  const newest = await findNewestEntry(historyDb(ctx), visibility, query);
  return newest !== undefined && !newest.deleted;
}

/**
 * Replaces the plain id of a record inside a project by its full key (`<project_id>#<id>`).
 * @throws AppError INVALID_REQUEST if several projects have or had this id.
 */
export async function withFullKey(ctx: MemberContext, query: RecordQuery): Promise<RecordQuery> {
  if (!lacksProject(query)) return query;
  const visibility = visibilityOf(ctx.caller, query.entityType);
  const [key, ...others] = await findFullKeys(historyDb(ctx), visibility, query);
  if (others.length > 0)
    throw invalidRequest([
      { field: 'entitySortKey', message: 'exists in several projects: use <project_id>#<id>' },
    ]);
  return key === undefined ? query : { ...query, entitySortKey: key };
}

/** Adds the names of members to the authors of entries. */
export async function withNames<Row extends { readonly actor: ShownActor | null }>(
  ctx: MemberContext,
  rows: Row[],
): Promise<Row[]> {
  const ids = new Set(rows.flatMap(({ actor }) => (actor?.kind === 'member' ? actor.membership_id : [])));
  if (ids.size === 0) return rows;
  const names = await namesOfMembers(historyDb(ctx), [...ids]);
  return rows.map((row) => {
    const { actor } = row;
    const name = actor?.kind === 'member' ? names.get(actor.membership_id) : undefined;
    return actor === null || name === undefined ? row : { ...row, actor: { ...actor, name } };
  });
}

function toVersion({ version, timestamp, data, actor }: VersionRow): VersionRecord {
  return { version, timestamp, data, actor };
}

/** Returns deleted records and their earlier versions, newest first, 1000 at most. */
export async function readDeleted(
  ctx: MemberContext,
  details: Details,
  entityType: EntityType,
): Promise<DeletedRecord[] | LargeResponse> {
  const { code } = await getTenant(ctx.db);
  const visibility = visibilityOf(ctx.caller, entityType);
  const detail = details.get(entityType);
  const rows = await listDeleted(historyDb(ctx), visibility, entityType, MAX_DELETED, detail);
  const entries = rows.map((row) => ({
    row,
    key: row,
    shown: {
      pk: `${code}#${entityType}#${row.deleted ? 'DELETED' : 'UPDATED'}`,
      sk: row.deleted ? row.sort_key : `${row.sort_key}#VERSION-${row.version}`,
      entity: row.data,
      timestamp: row.timestamp,
    },
  }));
  return answer(ctx, entityType, detail, entries, 'entity');
}

/**
 * Returns one page of the deleted records of all kinds, newest first. `restorable` has the kinds that can be restored.
 * @throws AppError INVALID_REQUEST for unknown
 * filters.
 */
export async function listDeletedRecords(
  ctx: MemberContext,
  restorable: { has(kind: EntityType): boolean },
  { filters = {}, search, ...request }: DeletedListQuery,
): Promise<ListPage<DeletedItem>> {
  const recordQuery = {
    visibility: kindVisibilityOf(ctx.caller),
    conditions: readFilters(DELETED_FILTERS, filters),
    words: searchWords(search),
  };
  const db = historyDb(ctx);
  const entries = await withNames(ctx, await listDeletedItems(db, recordQuery, request));
  const items = entries.map((entry) => ({ ...entry, is_restorable: restorable.has(entry.entity_type) }));
  return toListPage(
    items,
    await totalOf(request, items.length, () => countDeletedItems(db, recordQuery)),
    request,
  );
}

interface Entry<Shown> {
  readonly row: Pick<DeletedRow, 'bytes' | 'is_left_out'>;
  readonly key: EntryKey;
  readonly shown: Shown;
}

/** Returns the entries. Data that were left out are read in chunks and added as `member` while the response is sent. */
function answer<Shown extends object>(
  ctx: MemberContext,
  entityType: EntityType,
  detail: HistoryDetail | undefined,
  entries: readonly Entry<Shown>[],
  member: keyof Shown & string,
): Shown[] | LargeResponse {
  if (!entries.some(({ row }) => row.is_left_out)) return entries.map(({ shown }) => shown);
  const db = historyDb(ctx);
  const read = async (some: readonly Entry<Shown>[]) => {
    const texts = await readData(
      db,
      entityType,
      some.map(({ key }) => key),
      detail,
    );
    return some.flatMap(({ shown }, index) => {
      const text = texts[index];
      const { [member]: _leftOut, ...rest } = shown;
      return text === undefined ? [] : [`${JSON.stringify(rest).slice(0, -1)},"${member}":${text}}`];
    });
  };
  return new LargeResponse(
    db.tenantId,
    toChunks(entries, ({ row }) => row.bytes, read),
  );
}

/** Returns a handle for the whole tenant: the caller's own scope would hide entries without an owning unit. */
export function historyDb({ platform, caller }: MemberContext): ScopedDb {
  return platform.scoped(wholeTenant(caller.tenantId));
}
