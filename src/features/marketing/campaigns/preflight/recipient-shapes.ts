/**
 * Groups the recipients of an email by the template fields that they have. Recipients of one group miss the same
 * values, so one rendering represents the whole group.
 */
import { sql } from 'kysely';
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { exclusionOf } from './exclusion.ts';

/** Number of members that are read at each end of a large audience: the oldest and the newest. */
const SAMPLE_SIZE = 25_000;
/** Largest number of rendered groups; the largest groups come first. */
const MAX_SHAPES = 100;
/** Largest number of fields for the grouping. */
const MAX_FIELDS = 50;

/** A group of recipients that have the same fields. */
export interface RecipientShape {
  /** A subscriber of the group. */
  readonly id: string;
  /** Number of recipients in the group. */
  readonly count: number;
}

/** Groups of an audience, or of a sample of it. */
export interface RecipientShapes {
  readonly shapes: readonly RecipientShape[];
  /** Number of recipients in all groups. */
  readonly count: number;
  /** True if only a sample of the audience was read. */
  readonly isSample: boolean;
}

interface ShapeRow extends RecipientShape {
  /** Number of members that were read. */
  readonly members_read: number;
}

/**
 * Finds the shapes of the recipients by `fields`, names of additional fields.
 * @param groups ids of the lists and audiences of the email.
 */
export async function findRecipientShapes(
  platform: Platform,
  db: ScopedDb,
  groups: readonly string[],
  subscriptionTypeId: string | null,
  fields: readonly string[],
): Promise<RecipientShapes> {
  if (groups.length === 0) return { shapes: [], count: 0, isSample: false };
  const exclusion = await exclusionOf(platform, db, subscriptionTypeId);
  const names = fields.slice(0, MAX_FIELDS);
  const members = (tenantId: string, direction: 'asc' | 'desc') => sql`
    (select each.id from unnest(${groups}::uuid[]) as g (group_id) cross join lateral (
      select m.subscriber_id as id from subscriber_group_members m
      where m.tenant_id = ${tenantId}::uuid and m.group_id = g.group_id
      order by m.subscriber_id ${sql.raw(direction)} limit ${SAMPLE_SIZE}) each
    order by each.id ${sql.raw(direction)} limit ${SAMPLE_SIZE})`;
  const { rows } = await db.raw(
    (tenantId) => sql<ShapeRow>`
    with members as materialized (
      select id from ${members(tenantId, 'asc')} oldest union select id from ${members(tenantId, 'desc')} newest
    ), recipients as materialized (
      select s.id, s.address_key, s.last_name, coalesce(s.additional_fields_data::jsonb, '{}') as data
      from members join subscribers s on s.tenant_id = ${tenantId}::uuid and s.id = members.id
      where (${exclusion(tenantId)}) is null
    ), shaped as (
      select id, address_key, coalesce(last_name, '') = '' as unnamed, (
        select string_agg(case when not data ? name then 'a'
          when data -> name in ('""', '0', 'false', 'null', '[]') then 'f' else 't' end, '' order by n)
        from unnest(${names}::text[]) with ordinality as fields (name, n)) as shape
      from recipients
    )
    select min(id::text) as id, count(distinct address_key)::int as count,
      (select count(*)::int from members) as members_read
    from shaped group by shape, unnamed order by 2 desc, 1 limit ${MAX_SHAPES}`,
  );
  return {
    shapes: rows.map(({ id, count }) => ({ id, count })),
    count: rows.reduce((sum, { count }) => sum + count, 0),
    isSample: (rows[0]?.members_read ?? 0) >= SAMPLE_SIZE,
  };
}
