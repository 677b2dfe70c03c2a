import { sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import type { HistoryDetail } from '../../../resources/history.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { RecordQuery, VersionRecord } from './schema.ts';
import { isVisibleTo, type Visibility } from './visibility.ts';

/** A row in an answer that is too large for one read: its data are null and their size is given. */
interface Sized {
  readonly bytes: number;
  readonly is_left_out: boolean;
}

/** A version; data are left out if those of all versions are large. */
export type VersionRow = VersionRecord & Sized;

/** A deletion, or an earlier version of a deleted record. */
export interface DeletedRow extends Sized {
  sort_key: string;
  version: number;
  timestamp: string;
  deleted: boolean;
  data: unknown;
}

/** The most bytes of an entry without its data and author: a record may have any number of versions. */
const OF_ENTRY = 1000;
/** The most bytes of all entries in one answer. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Data of larger answers are left out and read in portions. */
const MAX_ENTRY_BYTES = 1024 * 1024;
const TOO_LARGE =
  'The versions are too large for one response. Read them one by one at /api/entity/versions/{version}.';

/**
 * Returns the versions of a record in ascending order, or only one. `db` reaches the whole tenant.
 * @throws AppError VALIDATION_ERROR if they exceed one answer.
 */
export async function listVersions(
  db: ScopedDb,
  visibility: Visibility,
  { entityType, entitySortKey }: RecordQuery,
  detail: HistoryDetail | undefined,
  version?: number,
): Promise<VersionRow[]> {
  const limit = version === undefined ? MAX_ENTRY_BYTES : MAX_BYTES;
  const { rows } = await db.raw((tenantId) => {
    const { data, bytes } = shownOf(detail, tenantId, 'h');
    return sql<VersionRow & { is_too_large: boolean }>`
      with sized as (
        select h.*, ${bytes} as bytes from record_history h
        where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = ${entitySortKey}
          and not h.deleted and ${isVisibleTo(sql.ref('h.owner_bu_id'), visibility)}
          and ${version === undefined ? sql`true` : sql`h.version = ${version}`}
      ), summed as (
        select *, sum(bytes + coalesce(octet_length(actor::text), 0) + ${OF_ENTRY}::int) over () as size from sized
      )
      select h.version, h.recorded_at as timestamp, h.actor, h.bytes, h.size > ${limit}::int as is_left_out,
        h.size > ${MAX_BYTES}::int as is_too_large, case when h.size <= ${limit}::int then ${data} end as data
      from summed h order by h.version`;
  });
  if (rows[0]?.is_too_large) throw new AppError(VALIDATION_ERROR, { message: TOO_LARGE });
  return rows.map(({ is_too_large: _isNot, ...row }) => row);
}

/** Kinds of record inside projects; their key in history is `<project_id>#<id>`. */
const IN_PROJECTS: readonly EntityType[] = [
  'pages_document_model',
  'pages_slice_model',
  'pages_document',
  'pages_url_redirect',
  'pages_site_settings',
];
const MANY = 2;

/** True if a key is only the id of a record inside a project. */
export function lacksProject({ entityType, entitySortKey }: RecordQuery): boolean {
  return IN_PROJECTS.includes(entityType) && !entitySortKey.includes('#');
}

/** Returns up to two whole keys with such an id, in projects that have or had it. `db` reaches the whole tenant. */
export async function findWholeKeys(
  db: ScopedDb,
  visibility: Visibility,
  { entityType, entitySortKey: id }: RecordQuery,
): Promise<string[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ key: string }>`
      select p.sort_key || '#' || ${id}::text as key from (
        select distinct h.sort_key from record_history h
        where h.tenant_id = ${tenantId}::uuid and h.entity_type = 'pages_project_metadata'
      ) p
      where exists (
        select from record_history h
        where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType}
          and h.sort_key = p.sort_key || '#' || ${id}::text
          and not h.deleted and ${isVisibleTo(sql.ref('h.owner_bu_id'), visibility)})
      limit ${MANY}::int`,
  );
  return rows.map(({ key }) => key);
}

/** SQL of an entry's data and size, from the columns of `entry`. */
function shownOf(detail: HistoryDetail | undefined, tenantId: string, entry: string) {
  const own = sql.ref(`${entry}.data`);
  const size = sql`octet_length(${own}::text)`;
  if (detail === undefined) return { data: own, bytes: size };
  return {
    data: sql`(left(${own}::text, -1) || ${`,${JSON.stringify(detail.member)}:`}::text || ${detail.text(tenantId, entry)} || '}')::json`,
    bytes: sql`(${size} + ${detail.bytes(tenantId, entry)})::int`,
  };
}

/** Key of a history entry: the record, the version, and whether it is the deletion. */
export type EntryKey = Pick<DeletedRow, 'sort_key' | 'version' | 'deleted'>;

/** Returns the data of entries as JSON, in the order of `keys`; undefined for deleted ones. */
export async function readData(
  db: ScopedDb,
  entityType: EntityType,
  keys: readonly EntryKey[],
  detail: HistoryDetail | undefined,
): Promise<(string | undefined)[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<EntryKey & { data: string }>`
      select h.sort_key, h.version, h.deleted, ${shownOf(detail, tenantId, 'h').data}::text as data
      from unnest(${keys.map(({ sort_key }) => sort_key)}::text[], ${keys.map(({ version }) => version)}::int[],
        ${keys.map(({ deleted }) => deleted)}::boolean[]) as k (sort_key, version, deleted)
      join record_history h on h.tenant_id = ${tenantId} and h.entity_type = ${entityType}
        and h.sort_key = k.sort_key and h.version = k.version and h.deleted = k.deleted`,
  );
  const texts = new Map(rows.map((row) => [nameOf(row), row.data]));
  return keys.map((key) => texts.get(nameOf(key)));
}

function nameOf({ sort_key, version, deleted }: EntryKey): string {
  return JSON.stringify([sort_key, version, deleted]);
}

/**
 * Returns the newest `limit` entries among deletions and earlier versions of deleted records, or as many as fit in one
 * answer. A version is never newer than its record's deletion, so the newest `limit` deletions lead to all of them. A
 * version from before the record was shared still belongs to its unit alone.
 */
export async function listDeleted(
  db: ScopedDb,
  visibility: Visibility,
  entityType: EntityType,
  limit: number,
  detail: HistoryDetail | undefined,
): Promise<DeletedRow[]> {
  const newestFirst = sql`recorded_at desc, sort_key desc, deleted desc, version desc`;
  const { rows } = await db.raw((tenantId) => {
    const { data, bytes } = shownOf(detail, tenantId, 'c');
    return sql<DeletedRow>`
      with deletions as (
        select sort_key, version, recorded_at, deleted, data from record_history
        where tenant_id = ${tenantId} and entity_type = ${entityType} and deleted
          and ${isVisibleTo(sql.ref('owner_bu_id'), visibility)}
          and not exists (
            select from record_history later
            where later.tenant_id = ${tenantId} and later.entity_type = ${entityType}
              and later.sort_key = record_history.sort_key and later.version > record_history.version
              and ${isVisibleTo(sql.ref('later.owner_bu_id'), visibility)})
        order by recorded_at desc limit ${limit}
      ), chosen as (
        select * from deletions
        union all
        select earlier.* from deletions, lateral (
          select h.sort_key, h.version, h.recorded_at, h.deleted, h.data from record_history h
          where h.tenant_id = ${tenantId} and h.entity_type = ${entityType} and not h.deleted
            and h.sort_key = deletions.sort_key and h.version < deletions.version
            and ${isVisibleTo(sql.ref('h.owner_bu_id'), visibility)}
          order by h.version desc limit ${limit}
        ) earlier
        order by ${newestFirst} limit ${limit}
      ), measured as (
        select c.*, ${bytes} as bytes from chosen c
      ), sized as (
        select *, sum(bytes) over (order by ${newestFirst}) as size_so_far,
          sum(bytes) over () > ${MAX_ENTRY_BYTES} as is_left_out from measured
      )
      select c.sort_key, c.version, c.recorded_at as timestamp, c.deleted, c.bytes, c.is_left_out,
        case when not c.is_left_out then ${data} end as data
      from sized c where c.size_so_far <= ${MAX_BYTES} order by ${newestFirst}`;
  });
  return rows;
}

/** The newest entry of a record: a deletion, or a version if the record exists. */
export interface LastEntry {
  readonly version: number;
  readonly deleted: boolean;
  readonly owner_bu_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the newest entry of a record; undefined if none is visible. `db` reaches the tenant's history. */
export async function findLastEntry(
  db: ScopedDb,
  visibility: Visibility,
  entityType: EntityType,
  sortKey: string,
): Promise<LastEntry | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<LastEntry & { is_visible: boolean }>`
      select h.version, h.deleted, h.owner_bu_id, h.data,
        ${isVisibleTo(sql.ref('h.owner_bu_id'), visibility)} as is_visible
      from record_history h
      where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = ${sortKey}
      order by h.version desc, h.deleted desc limit 1`,
  );
  return rows.find(({ is_visible }) => is_visible);
}

/** Locks the deletions of a record, so that the second of two restorations sees the result of the first. */
export async function lockDeletion(tx: ScopedDb, entityType: EntityType, sortKey: string): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
      select from record_history h
      where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = ${sortKey} and h.deleted
      for update`,
  );
}
