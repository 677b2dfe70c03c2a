import { sql } from 'kysely';
import { AppError } from '../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import type { EntityType } from '../../resources/entity-types.ts';
import type { ActorRecord } from '../../tenancy/actor.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { isVisibleTo, type Visibility } from './visibility.ts';

/** A stored version. */
export interface HistoryVersionRow {
  version: number;
  recorded_at: string | Date;
  data: unknown;
  actor: ActorRecord | null;
}

/** A deletion, or a version that a deleted record had before its last. */
export interface DeletedRow extends Omit<HistoryVersionRow, 'actor'> {
  sort_key: string;
  deleted: boolean;
}

/** Which record's history. */
export interface HistoryKey {
  readonly entityType: EntityType;
  readonly sortKey: string;
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
  key: HistoryKey,
  version?: number,
): Promise<HistoryVersionRow[]> {
  const size = sql<number>`sum(octet_length(data::text)) over ()`;
  const all = db.query
    .selectFrom('record_history')
    .select(['version', 'recorded_at', 'actor'])
    .select(sql<unknown>`case when ${size} <= ${MAX_CHARACTERS}::int then data end`.as('data'))
    .select(sql<boolean>`${size} > ${MAX_CHARACTERS}::int`.as('is_too_large'))
    .where('entity_type', '=', key.entityType)
    .where('sort_key', '=', key.sortKey)
    .where('deleted', '=', false)
    .where(isVisibleTo(sql.ref('owner_bu_id'), visibility))
    .orderBy('version');
  const rows = await (version === undefined ? all : all.where('version', '=', version)).execute();
  if (rows[0]?.is_too_large) throw new AppError(VALIDATION_ERROR, { message: TOO_LARGE });
  return rows;
}

/**
 * The keys of the newest `limit` entries among deletions and the superseded versions of deleted records. A version is
 * never newer than its record's deletion, so the newest `limit` deletions lead to all of them.
 */
function choosing(db: ScopedDb, visibility: Visibility, entityType: EntityType, limit: number) {
  return db.query
    .with('deletions', (query) =>
      query
        .selectFrom('record_history')
        .select(['sort_key', 'version', 'recorded_at', 'deleted'])
        .where('entity_type', '=', entityType)
        .where('deleted', '=', true)
        .where(isVisibleTo(sql.ref('owner_bu_id'), visibility))
        .orderBy('recorded_at', 'desc')
        .limit(limit),
    )
    .with('versions', (query) =>
      query
        .selectFrom('deletions')
        .innerJoinLateral(
          (eb) =>
            eb
              .selectFrom('record_history as earlier')
              .select(['earlier.version', 'earlier.recorded_at', 'earlier.deleted'])
              .where('earlier.entity_type', '=', entityType)
              .whereRef('earlier.sort_key', '=', 'deletions.sort_key')
              .where('earlier.deleted', '=', false)
              .whereRef('earlier.version', '<', 'deletions.version')
              // A version from before the record was shared is still its unit's alone.
              .where(isVisibleTo(sql.ref('earlier.owner_bu_id'), visibility))
              .orderBy('earlier.version', 'desc')
              .limit(limit)
              .as('earlier'),
          (join) => join.onTrue(),
        )
        .select(['deletions.sort_key', 'earlier.version', 'earlier.recorded_at', 'earlier.deleted']),
    )
    .with('chosen', (query) =>
      query
        .selectFrom('deletions')
        .selectAll()
        .unionAll((eb) => eb.selectFrom('versions').selectAll())
        .orderBy(sql`recorded_at`, 'desc')
        .orderBy(sql`sort_key`, 'desc')
        .orderBy(sql`deleted`, 'desc')
        .orderBy(sql`version`, 'desc')
        .limit(limit),
    );
}

/** The newest `limit` entries among deletions and superseded versions, or as many of them as one answer holds. */
export async function listDeleted(
  db: ScopedDb,
  visibility: Visibility,
  entityType: EntityType,
  limit: number,
): Promise<DeletedRow[]> {
  return choosing(db, visibility, entityType, limit)
    .with('sized', (query) =>
      query
        .selectFrom('chosen')
        .innerJoin('record_history as h', (join) =>
          join
            .onRef('h.sort_key', '=', 'chosen.sort_key')
            .onRef('h.version', '=', 'chosen.version')
            .onRef('h.deleted', '=', 'chosen.deleted'),
        )
        .select(['h.sort_key', 'h.version', 'h.recorded_at', 'h.deleted', 'h.data'])
        .select(
          sql<number>`sum(octet_length(h.data::text)) over (
            order by h.recorded_at desc, h.sort_key desc, h.deleted desc, h.version desc)`.as('size_so_far'),
        )
        .where('h.entity_type', '=', entityType),
    )
    .selectFrom('sized')
    .select(['sort_key', 'version', 'recorded_at', 'deleted', 'data'])
    .where('size_so_far', '<=', MAX_CHARACTERS)
    .orderBy('recorded_at', 'desc')
    .orderBy('sort_key', 'desc')
    .orderBy('deleted', 'desc')
    .orderBy('version', 'desc')
    .execute();
}
