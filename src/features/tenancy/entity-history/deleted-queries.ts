import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EntityType } from '../../../resources/entity-types.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { conditionSql, FILTER_OPERATIONS, ofColumn } from '../../../resources/filter-sql.ts';
import { containing } from '../../../resources/filter-values.ts';
import type { FilterDefinition } from '../../../resources/filters.ts';
import { offsetOf, type PageRequest } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { ShownActor } from './schema.ts';
import { titleOf } from './title.ts';
import { isEntryVisible, type KindVisibility } from './visibility.ts';

/** Filters of the list of deleted records. */
export const DELETED_FILTERS: FilterDefinition = {
  fields: {
    entity_type: { type: 'text', sql: ofColumn('h.entity_type') },
    deleted_at: { type: 'time', sql: ofColumn('h.recorded_at') },
  },
  operations: FILTER_OPERATIONS,
};

const TITLE = titleOf('h');

/** Conditions of the list of deleted records. */
export interface DeletedConditions {
  readonly visibility: KindVisibility;
  readonly conditions: readonly FilterCondition[];
  /** Words of a search: each must occur in the title or the key. */
  readonly words: readonly string[];
}

/** A deleted record. */
export interface DeletedEntry {
  readonly entity_type: EntityType;
  readonly key: string;
  readonly title: string;
  readonly deleted_at: string;
  readonly actor: ShownActor | null;
}

/** Returns one page of deleted records, newest first. `db` must have the scope of the whole tenant. */
export async function listDeletedItems(
  db: ScopedDb,
  filters: DeletedConditions,
  request: PageRequest,
): Promise<DeletedEntry[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<DeletedEntry>`
      select h.entity_type, h.sort_key as key, ${TITLE} as title, h.recorded_at as deleted_at, h.actor
      from record_history h where ${isListed(tenantId, filters)}
      order by h.recorded_at desc, h.entity_type, h.sort_key
      limit ${request.limit}::bigint offset ${offsetOf(request)}::bigint`,
  );
  return rows;
}

/** Counts the deleted records of all pages. */
export async function countDeletedItems(db: ScopedDb, filters: DeletedConditions): Promise<number> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ total: number }>`
      select count(*) as total from record_history h where ${isListed(tenantId, filters)}`,
  );
  return Number(rows[0]?.total ?? 0);
}

/**
 * SQL condition: true for the deletion of a record that meets the filters and was not created again. Entries that are
 * not visible do not count.
 */
function isListed(
  tenantId: string,
  { visibility, conditions, words }: DeletedConditions,
): RawBuilder<SqlBool> {
  const matches = [
    ...conditions.map((condition) => conditionSql(condition, condition.operands)),
    ...words.map(
      (word) => sql<SqlBool>`(${TITLE} ilike ${containing(word)} or h.sort_key ilike ${containing(word)})`,
    ),
  ];
  return sql<SqlBool>`h.tenant_id = ${tenantId}::uuid and h.deleted and ${isEntryVisible('h', visibility)}
    and not exists (
      select from record_history later
      where later.tenant_id = ${tenantId}::uuid and later.entity_type = h.entity_type
        and later.sort_key = h.sort_key and later.version > h.version and ${isEntryVisible('later', visibility)})
    ${sql.join(
      matches.map((condition) => sql`and ${condition}`),
      sql` `,
    )}`;
}
