/** Stored members of computed audiences. Callers lock the subscribers whose memberships they change. */
import { expressionBuilder, sql } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import { countChanged } from './membership-changes.ts';
import type { AudienceRow } from './resource.ts';
import { isWatched, writeSignals } from './signals.ts';

/** The columns of an audience that its computation reads. */
export type ComputedAudience = Pick<AudienceRow, 'id' | 'owner_bu_id' | 'filters'>;

/** A subscriber that joins or leaves an audience. */
export interface MemberChange {
  readonly group_id: string;
  readonly subscriber_id: string;
  /** True if the subscriber is active. */
  readonly active: boolean;
  /** Time of the change that led to joining; null if unknown, which counts as long ago. */
  readonly joined_at: Date | null;
  /** Time of joining in signals to watchers; never later than the actual time. */
  readonly occurred_at: Date;
}

/** Finds audiences: with `ids` those audiences, with and without filters; else all audiences with filters. */
export async function findComputedAudiences(
  db: ScopedDb,
  ids?: readonly string[],
): Promise<ComputedAudience[]> {
  const audiences = db.query.selectFrom('marketing_audiences').select(['id', 'owner_bu_id', 'filters']);
  const selected =
    ids === undefined
      ? audiences.where('filters', 'is not', null)
      : audiences.where('id', '=', sql<string>`any(${ids}::uuid[])`);
  return selected.orderBy('id').execute();
}

/** Finds the audiences with filters among groups. */
export async function findComputedIds(db: ScopedDb, ids: readonly string[]): Promise<string[]> {
  const found = await db.query
    .selectFrom('marketing_audiences')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('filters', 'is not', null)
    .execute();
  return found.map(({ id }) => id);
}

/**
 * Query of the audiences of a subscriber, a row of `table`: `groups` are all, `manual` those with a manual membership.
 */
export function audiencesOf(table: string) {
  return expressionBuilder<Tables, never>()
    .selectFrom('subscriber_group_members as member')
    .select([
      sql<string[]>`coalesce(array_agg(member.group_id), '{}')`.as('groups'),
      sql<string[]>`coalesce(array_agg(member.group_id) filter (where not member.is_computed), '{}')`.as(
        'manual',
      ),
    ])
    .where('member.subscriber_id', '=', sql<string>`${sql.ref(`${table}.id`)}`)
    .where('member.is_audience', '=', true);
}

/**
 * Adds and removes members in one statement, with the counts. The caller has locked the subscribers. `converted`
 * members were added manually and are computed now. Deleted audiences get no members.
 */
export async function applyMembers(
  tx: ScopedDb,
  { added, removed, converted }: Readonly<Record<'added' | 'removed' | 'converted', readonly MemberChange[]>>,
  now: Date,
): Promise<void> {
  if (added.length + removed.length + converted.length === 0) return;
  const rows = (changes: readonly MemberChange[]) => sql`json_to_recordset(${JSON.stringify(changes)}::json)
    as g (group_id uuid, subscriber_id uuid, active boolean, joined_at timestamptz, occurred_at timestamptz)`;
  const joined = [...new Set(added.map(({ group_id }) => group_id))];
  await tx.raw(
    (tenantId) => sql`
    with existing as materialized (
      select a.id from marketing_audiences a
      where a.tenant_id = ${tenantId}::uuid and a.id = any(${joined}::uuid[]) order by a.id for key share
    ), removals as materialized (select * from ${rows(removed)}
    ), removed as (
      delete from subscriber_group_members m using removals g
      where m.tenant_id = ${tenantId}::uuid and m.group_id = g.group_id and m.subscriber_id = g.subscriber_id
      returning m.group_id, g.active
    ), conversions as materialized (select * from ${rows(converted)}
    ), converted as (
      update subscriber_group_members m set is_computed = true from conversions g
      where m.tenant_id = ${tenantId}::uuid and m.group_id = g.group_id and m.subscriber_id = g.subscriber_id
    ), additions as materialized (select g.* from ${rows(added)} where g.group_id in (select id from existing)
    ), added as (
      insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience, is_computed, joined_at)
      select tenant_row.tenant_id, g.group_id, g.subscriber_id, true, true, coalesce(g.joined_at, '-infinity')
      from additions g cross join ${tenantRow(tenantId)}
      on conflict do nothing
    ), signalled as (${writeSignals(tenantId, joinSignals(tenantId), now)}
    ), changed as (
      -- The subscribers are locked: no other transaction adds them, so all rows of additions are new members.
      select group_id, -1 as members, -active::int as active from removed
      union all
      select group_id, 1, active::int from additions
    ), counted as (${countChanged(tenantId)})
    select count(*) from counted`,
  );
}

/** SQL of the signals for members that joined an audience while it was watched. */
function joinSignals(tenantId: string) {
  return sql`
    select 'audience_entered' as kind, a.subscriber_id, a.group_id::text as key, a.occurred_at
    from additions a where ${isWatched(tenantId, 'audience_entered', sql`a.group_id::text`, sql`a.occurred_at`)}`;
}
