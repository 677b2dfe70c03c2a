import { sql } from 'kysely';
import type { EntityType } from '../../resources/entity-types.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { isVisibleTo, type Visibility } from './visibility.ts';

/** A stored version. */
export interface HistoryVersionRow {
  version: number;
  recorded_at: string | Date;
  data: unknown;
}

/** A deletion, or a version that a deleted record had before its last. */
export interface DeletedRow extends HistoryVersionRow {
  sort_key: string;
  deleted: boolean;
}

/** Which record's history. */
export interface HistoryKey {
  readonly entityType: EntityType;
  readonly sortKey: string;
}

/** The versions of a record in ascending order, or only the one asked for. `db` reaches the whole tenant. */
export async function listVersions(
  db: ScopedDb,
  visibility: Visibility,
  key: HistoryKey,
  version?: number,
): Promise<HistoryVersionRow[]> {
  const all = db.query
    .selectFrom('record_history')
    .select(['version', 'recorded_at', 'data'])
    .where('entity_type', '=', key.entityType)
    .where('sort_key', '=', key.sortKey)
    .where('deleted', '=', false)
    .where(isVisibleTo(sql.ref('owner_bu_id'), visibility))
    .orderBy('version');
  return version === undefined ? all.execute() : all.where('version', '=', version).execute();
}

/**
 * The newest `limit` entries among deletions and the superseded versions of deleted records. A version is never
 * newer than its record's deletion, so the newest `limit` deletions lead to all of them.
 */
export async function listDeleted(
  db: ScopedDb,
  visibility: Visibility,
  entityType: EntityType,
  limit: number,
): Promise<DeletedRow[]> {
  return db.query
    .with('deletions', (query) =>
      query
        .selectFrom('record_history')
        .select(['sort_key', 'version', 'recorded_at', 'data', 'deleted'])
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
              .selectFrom('record_history as h')
              .select(['h.version', 'h.recorded_at', 'h.data', 'h.deleted'])
              .where('h.entity_type', '=', entityType)
              .whereRef('h.sort_key', '=', 'deletions.sort_key')
              .where('h.deleted', '=', false)
              .whereRef('h.version', '<', 'deletions.version')
              // A version from before the record was shared is still its unit's alone.
              .where(isVisibleTo(sql.ref('h.owner_bu_id'), visibility))
              .orderBy('h.version', 'desc')
              .limit(limit)
              .as('earlier'),
          (join) => join.onTrue(),
        )
        .select([
          'deletions.sort_key',
          'earlier.version',
          'earlier.recorded_at',
          'earlier.data',
          'earlier.deleted',
        ]),
    )
    .selectFrom('deletions')
    .selectAll()
    .unionAll((eb) => eb.selectFrom('versions').selectAll())
    .orderBy(sql`recorded_at`, 'desc')
    .orderBy(sql`sort_key`, 'desc')
    .orderBy(sql`deleted`, 'desc')
    .orderBy(sql`version`, 'desc')
    .limit(limit)
    .execute();
}
