/** Pages of the versions of a record. */
import { sql } from 'kysely';
import type { HistoryDetail } from '../../../resources/history.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { changedFields } from './changed-fields.ts';
import { dataAndSizeOf, MAX_INLINE_BYTES } from './queries.ts';
import type { ListedVersion, VersionListQuery } from './schema.ts';
import { isVisibleTo, type Visibility } from './visibility.ts';

/** Versions of a page unless the query says otherwise. */
const DEFAULT_LIMIT = 100;

/** True if a query is for a page. */
export function isPage({ page, limit, order, data }: VersionListQuery): boolean {
  return [page, limit, order, data].some((value) => value !== undefined);
}

/**
 * Returns a page of the versions of a record with the names of the members that each changed. The first ones have their
 * data, at most 1 MiB. `db` must have the scope of the whole tenant.
 */
export async function listVersionPage(
  db: ScopedDb,
  visibility: Visibility,
  query: VersionListQuery,
  detail: HistoryDetail | undefined,
): Promise<ListedVersion[]> {
  const {
    entityType,
    entitySortKey,
    page = 1,
    limit = DEFAULT_LIMIT,
    order = 'asc',
    data: hasData = true,
  } = query;
  const { rows } = await db.raw((tenantId) => {
    const { data, bytes } = dataAndSizeOf(detail, tenantId, 'h');
    const direction = sql.raw(order);
    return sql<ListedVersion & { has_data: boolean | null }>`
      with page as (
        select h.* from record_history h
        where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = ${entitySortKey}
          and not h.deleted and ${isVisibleTo(sql.ref('h.owner_bu_id'), visibility)}
        order by h.version ${direction} limit ${limit}::int offset ${(page - 1) * limit}::bigint
      ), sized as (
        select h.*, ${hasData ? sql`sum(${bytes}) over (order by h.version ${direction})` : sql`null::bigint`} as size from page h
      )
      select h.version, h.recorded_at as timestamp, h.actor, ${changedFields(tenantId)} as changed_fields,
        h.size <= ${MAX_INLINE_BYTES}::int as has_data, case when h.size <= ${MAX_INLINE_BYTES}::int then ${data} end as data
      from sized h order by h.version ${direction}`;
  });
  return rows.map(({ has_data, data, ...version }) => (has_data === true ? { ...version, data } : version));
}
