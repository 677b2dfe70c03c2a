import { type RawBuilder, sql } from 'kysely';

/** Members that the platform sets, with every version or in between: the author has not changed them. */
const UNLISTED_FIELDS = ['version', 'updated_at', 'last_attempt_at', 'last_attempt_status'];

/**
 * SQL of the names of members in which the version with the alias `h` differs from the previous one, as JSON; `[]` for
 * a first version (docs/specification/history.md#versions-of-a-record).
 */
export function changedFields(tenantId: string): RawBuilder<string[]> {
  return sql<string[]>`coalesce((
    select changed.names from record_history p cross join lateral (
      select json_agg(coalesce(now.key, before.key) order by coalesce(now.key, before.key)) as names
      from json_each(h.data) now full join json_each(p.data) before on before.key = now.key
      where now.value::text is distinct from before.value::text
        and coalesce(now.key, before.key) <> all(${UNLISTED_FIELDS}::text[])
    ) changed
    where p.tenant_id = ${tenantId}::uuid and p.entity_type = h.entity_type and p.sort_key = h.sort_key
      and p.version = h.version - 1 and not p.deleted
  ), '[]')`;
}
