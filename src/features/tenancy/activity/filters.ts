import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EntityType } from '../../../resources/entity-types.ts';
import { ENTITY_TYPES } from '../../../resources/entity-types.ts';
import type { FieldSql } from '../../../resources/filter-field.ts';
import { FILTER_OPERATIONS, ofColumn } from '../../../resources/filter-sql.ts';
import type { FilterDefinition } from '../../../resources/filters.ts';
import { ACTIONS } from './schema.ts';

/** A kind whose changes are not listed: the index does without them, so that submissions do not write to it. */
const UNLISTED: EntityType = 'form_submission';

/** Kinds of record whose changes are listed. */
export const LISTED_KINDS: readonly EntityType[] = ENTITY_TYPES.filter((kind) => kind !== UNLISTED);

/** SQL condition of the indexes of migration 0028, for history entries with the alias `h`. */
export const IS_ACTIVITY = sql<SqlBool>`h.entity_type <> ${sql.lit(UNLISTED)}
  and h.actor ->> 'kind' in ('member', 'operator')`;

/**
 * SQL to join to an entry with the alias `h`: what the version before it says, as `f`. The tenant is a literal, by
 * which the database finds the rows; the planner computes only what is used.
 */
export function joinFacts(tenantId: string): RawBuilder<unknown> {
  const previous = sql`record_history earlier
    where earlier.tenant_id = ${tenantId}::uuid and earlier.entity_type = h.entity_type
      and earlier.sort_key = h.sort_key and earlier.version = h.version - 1`;
  return sql`cross join lateral (select h.version <= 1 and not exists (select from ${previous}) as is_first,
    exists (select from ${previous} and earlier.deleted) as follows_deletion) f`;
}

/** SQL of the action of the entry with the alias `h` and its facts `f`. */
export const ACTION = sql<
  (typeof ACTIONS)[number]
>`case when h.deleted then 'deleted' when f.is_first then 'created'
  when f.follows_deletion then 'restored' else 'updated' end`;

/**
 * Compares the action of an entry. Each action has its own condition, so that the planner drops those that the filter
 * excludes and checks the others in the index.
 */
const ofAction: FieldSql = (compare) => {
  const isWanted = (action: (typeof ACTIONS)[number]) => compare(sql`${sql.lit(action)}::text`);
  const cases: readonly Expression<SqlBool>[] = [
    sql`(h.deleted and ${isWanted('deleted')})`,
    sql`(not h.deleted and h.version <= 1 and ${isWanted('created')} and f.is_first)`,
    sql`(not h.deleted and h.version >= 1 and ${isWanted('restored')} and f.follows_deletion)`,
    sql`(not h.deleted and h.version >= 1 and ${isWanted('updated')} and not f.is_first and not f.follows_deletion)`,
  ];
  return sql<SqlBool>`(${sql.join(cases, sql` or `)})`;
};

/** Filters of the list of changes. */
export const ACTIVITY_FILTERS: FilterDefinition = {
  fields: {
    entity_type: { type: 'text', values: LISTED_KINDS, sql: ofColumn('kind.entity_type') },
    key: { type: 'text', sql: ofColumn('h.sort_key') },
    membership_id: { type: 'text', sql: ofColumn('h.membership_id') },
    action: { type: 'text', values: ACTIONS, sql: ofAction },
    at: { type: 'time', sql: ofColumn('h.recorded_at') },
  },
  operations: FILTER_OPERATIONS,
};
