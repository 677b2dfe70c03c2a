import { sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import type { HistoryDetail } from '../../../resources/history.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { RecordQuery, ShownActor, VersionRecord } from './schema.ts';
import { titleOf } from './title.ts';
import { isVisibleTo, type Visibility } from './visibility.ts';

/** Size of an entry's data. */
interface SizedRow {
  readonly bytes: number;
  /** True if the data of all entries are too large for one query; `data` is null then. */
  readonly is_left_out: boolean;
}

/** A version; data are left out if those of all versions are large. */
export type VersionRow = VersionRecord & SizedRow;

/** A deletion, or an earlier version of a deleted record. */
export interface DeletedRow extends SizedRow {
  sort_key: string;
  version: number;
  timestamp: string;
  deleted: boolean;
  data: unknown;
}

/** Bytes counted for each entry in addition to its data and author, because records can have many small versions. */
const ENTRY_OVERHEAD_BYTES = 1000;
/** Maximum size of a response, in bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Maximum size of a response that one query reads, in bytes. The data of larger ones are read in chunks. */
export const MAX_INLINE_BYTES = 1024 * 1024;
const TOO_LARGE =
  'The versions are too large for one response. Read them one by one at /api/entity/versions/{version}.';

/**
 * Returns all versions of a record in ascending order, or only `version`. `db` must have the scope of the whole tenant.
 * @throws AppError VALIDATION_ERROR if they are too large for one response.
 */
export async function listVersions(
  db: ScopedDb,
  visibility: Visibility,
  { entityType, entitySortKey }: RecordQuery,
  detail: HistoryDetail | undefined,
  version?: number,
): Promise<VersionRow[]> {
  const limit = version === undefined ? MAX_INLINE_BYTES : MAX_RESPONSE_BYTES;
  const { rows } = await db.raw((tenantId) => {
    const { data, bytes } = dataAndSizeOf(detail, tenantId, 'h');
    return sql<VersionRow & { is_too_large: boolean }>`
      with sized as (
        select h.*, ${bytes} as bytes from record_history h
        where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = ${entitySortKey}
          and not h.deleted and ${isVisibleTo(sql.ref('h.owner_bu_id'), visibility)}
          and ${version === undefined ? sql`true` : sql`h.version = ${version}`}
      ), summed as (
        select *, sum(bytes + coalesce(octet_length(actor::text), 0) + ${ENTRY_OVERHEAD_BYTES}::int) over () as size
        from sized
      )
      select h.version, h.recorded_at as timestamp, h.actor, h.bytes, h.size > ${limit}::int as is_left_out,
        h.size > ${MAX_RESPONSE_BYTES}::int as is_too_large, case when h.size <= ${limit}::int then ${data} end as data
      from summed h order by h.version`;
  });
  if (rows[0]?.is_too_large) throw new AppError(VALIDATION_ERROR, { message: TOO_LARGE });
  return rows.map(({ is_too_large: _isTooLarge, ...row }) => row);
}

/** Kinds of record inside projects; their key in the history is `<project_id>#<id>`. */
const PROJECT_KINDS: readonly EntityType[] = [
  'pages_document_model',
  'pages_slice_model',
  'pages_document',
  'pages_url_redirect',
  'pages_site_settings',
];
/** True if a key is only the id of a record inside a project. */
export function lacksProject({ entityType, entitySortKey }: RecordQuery): boolean {
  return PROJECT_KINDS.includes(entityType) && !entitySortKey.includes('#');
}

/**
 * Returns the full key (`<project_id>#<id>`) of a record's id, or two keys if the id is ambiguous. Includes deleted
 * projects and records. `db` must have the scope of the whole tenant.
 */
export async function findFullKeys(
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
      limit 2`,
  );
  return rows.map(({ key }) => key);
}

/** SQL expressions for the data and the size of the entry with the alias `entry`. */
export function dataAndSizeOf(detail: HistoryDetail | undefined, tenantId: string, entry: string) {
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

/** Returns the data of entries as JSON text, in the order of `keys`; undefined for entries that no longer exist. */
export async function readData(
  db: ScopedDb,
  entityType: EntityType,
  keys: readonly EntryKey[],
  detail: HistoryDetail | undefined,
): Promise<(string | undefined)[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<EntryKey & { data: string }>`
      select h.sort_key, h.version, h.deleted, ${dataAndSizeOf(detail, tenantId, 'h').data}::text as data
      from unnest(${keys.map(({ sort_key }) => sort_key)}::text[], ${keys.map(({ version }) => version)}::int[],
        ${keys.map(({ deleted }) => deleted)}::boolean[]) as k (sort_key, version, deleted)
      join record_history h on h.tenant_id = ${tenantId} and h.entity_type = ${entityType}
        and h.sort_key = k.sort_key and h.version = k.version and h.deleted = k.deleted`,
  );
  const texts = new Map(rows.map((row) => [mapKeyOf(row), row.data]));
  return keys.map((key) => texts.get(mapKeyOf(key)));
}

function mapKeyOf({ sort_key, version, deleted }: EntryKey): string {
  return JSON.stringify([sort_key, version, deleted]);
}

/**
 * Returns the newest `limit` entries among deletions and earlier versions of deleted records, or as many as fit in one
 * response. A version is never newer than its record's deletion, so the newest `limit` deletions are enough to find all
 * entries. Versions can be invisible too: those from before the record was shared are visible only in its unit.
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
    const { data, bytes } = dataAndSizeOf(detail, tenantId, 'c');
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
          sum(bytes) over () > ${MAX_INLINE_BYTES} as is_left_out from measured
      )
      select c.sort_key, c.version, c.recorded_at as timestamp, c.deleted, c.bytes, c.is_left_out,
        case when not c.is_left_out then ${data} end as data
      from sized c where c.size_so_far <= ${MAX_RESPONSE_BYTES} order by ${newestFirst}`;
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

/**
 * Returns the newest entry of a record; undefined if that entry is not visible. `db` must have the scope of the whole
 * tenant.
 */
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

/** The newest entry of a record that a caller may see. */
export interface NewestEntry {
  readonly version: number;
  readonly deleted: boolean;
  readonly recorded_at: string;
  readonly actor: ShownActor | null;
  readonly title: string;
}

/** Returns the newest visible entry of a record. `db` must have the scope of the whole tenant. */
export async function findNewestEntry(
  db: ScopedDb,
  visibility: Visibility,
  { entityType, entitySortKey }: RecordQuery,
): Promise<NewestEntry | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<NewestEntry>`
      select h.version, h.deleted, h.recorded_at, h.actor, ${titleOf('h')} as title
      from record_history h
      where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = ${entitySortKey}
        and ${isVisibleTo(sql.ref('h.owner_bu_id'), visibility)}
      order by h.version desc, h.deleted desc limit 1`,
  );
  return rows[0];
}

/** Locks the deletions of a record, so that the second of two concurrent restorations sees the result of the first. */
export async function lockDeletion(tx: ScopedDb, entityType: EntityType, sortKey: string): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
      select from record_history h
      where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = ${sortKey} and h.deleted
      for update`,
  );
}
