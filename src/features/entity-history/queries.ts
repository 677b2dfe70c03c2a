import { sql } from 'kysely';
import { AppError } from '../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import type { EntityType } from '../../resources/entity-types.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { RecordQuery, VersionRecord } from './schema.ts';
import { isVisibleTo, type Visibility } from './visibility.ts';

/** A deletion, or a version that a deleted record had before its last. */
export interface DeletedRow {
  sort_key: string;
  version: number;
  timestamp: string;
  deleted: boolean;
  data: unknown;
}

/** What the entries of one answer may hold together, characters: all of it is in memory at once. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const TOO_LARGE =
  'The versions are larger than can be given at once. Read them one by one at /api/entity/versions/{version}.';

/**
 * The versions of a record in ascending order, or only the one asked for. `db` reaches the whole tenant.
 * @throws AppError VALIDATION_ERROR when they are more than one answer holds.
 */
export async function listVersions(
  db: ScopedDb,
  visibility: Visibility,
  { entityType, entitySortKey }: RecordQuery,
  version?: number,
): Promise<VersionRecord[]> {
  const size = sql<number>`sum(octet_length(data::text)) over ()`;
  const all = db.query
    .selectFrom('record_history')
    .select(['version', 'recorded_at as timestamp', 'actor'])
    .select(sql<unknown>`case when ${size} <= ${MAX_CHARACTERS}::int then data end`.as('data'))
    .select(sql<boolean>`${size} > ${MAX_CHARACTERS}::int`.as('is_too_large'))
    .where('entity_type', '=', entityType)
    .where('sort_key', '=', entitySortKey)
    .where('deleted', '=', false)
    .where(isVisibleTo(sql.ref('owner_bu_id'), visibility))
    .orderBy('version');
  const rows = await (version === undefined ? all : all.where('version', '=', version)).execute();
  if (rows[0]?.is_too_large) throw new AppError(VALIDATION_ERROR, { message: TOO_LARGE });
  return rows.map(({ version: number, timestamp, data, actor }) => ({
    version: number,
    timestamp,
    data,
    actor,
  }));
}

/**
 * The newest `limit` entries among deletions and superseded versions of deleted records, or as many of them as one
 * answer holds. A version is never newer than its record's deletion, so the newest `limit` deletions lead to all of
 * them. A version from before the record was shared is still its unit's alone.
 */
export async function listDeleted(
  db: ScopedDb,
  visibility: Visibility,
  entityType: EntityType,
  limit: number,
): Promise<DeletedRow[]> {
  const newestFirst = sql`recorded_at desc, sort_key desc, deleted desc, version desc`;
  const { rows } = await db.raw(
    (tenantId) => sql<DeletedRow>`
      with deletions as (
        select sort_key, version, recorded_at, deleted, data from record_history
        where tenant_id = ${tenantId} and entity_type = ${entityType} and deleted
          and ${isVisibleTo(sql.ref('owner_bu_id'), visibility)}
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
      ), sized as (
        select *, sum(octet_length(data::text)) over (order by ${newestFirst}) as size_so_far from chosen
      )
      select sort_key, version, recorded_at as timestamp, deleted, data from sized
      where size_so_far <= ${MAX_CHARACTERS} order by ${newestFirst}`,
  );
  return rows;
}
