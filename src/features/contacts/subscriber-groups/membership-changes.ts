/** Changes of memberships. Each one updates the counts and queues the subscribers for their computed audiences. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import { hasComputedAudiences } from './computations.ts';
import type { Groups } from './members.ts';
import { isWatched, writeSignals } from './signals.ts';

/** A change of one subscriber's groups. */
export interface GroupChange {
  readonly subscriberId: string;
  /** Groups after the change. Computed audiences are ignored. */
  readonly groups: Groups;
  /** Kinds of groups to replace; groups of other kinds are only added. Default: both. */
  readonly replaces?: readonly (keyof Groups)[];
  /** True if the subscriber is active before the change. */
  readonly wasActive: boolean;
  /** True if the subscriber is active after the change. */
  readonly isActive: boolean;
}

/** Number of rows over which the counts of a group are spread, to reduce lock contention. */
const SLOTS = 8;

/** Returns a random slot of the counts. */
function randomSlot(): number {
  return Math.floor(Math.random() * SLOTS);
}

/** Replaces the groups of a subscriber by existing ones. */
export async function replaceGroups(tx: ScopedDb, change: GroupChange, now: Date): Promise<void> {
  await changeGroups(tx, [change], now);
}

/** Adds a subscriber to existing groups. Returns true if a membership is new. */
export async function joinGroups(
  tx: ScopedDb,
  change: Omit<GroupChange, 'replaces'>,
  now: Date,
): Promise<boolean> {
  return (await changeGroups(tx, [{ ...change, replaces: [] }], now)) > 0;
}

/** Changes the groups of several subscribers in one statement. Returns how many memberships are new. */
export async function changeGroups(
  tx: ScopedDb,
  changes: readonly GroupChange[],
  now: Date,
): Promise<number> {
  const requests = changes.map(
    ({ subscriberId, wasActive, isActive, replaces = ['lists', 'audiences'] }) => ({
      subscriber_id: subscriberId,
      // The id contains the time of the change.
      change_id: uuidv7({ msecs: now.getTime() }),
      was_active: Number(wasActive),
      active_delta: Number(isActive) - Number(wasActive),
      lists: replaces.includes('lists'),
      audiences: replaces.includes('audiences'),
    }),
  );
  const targets = changes.flatMap(({ subscriberId, groups }) =>
    toRows(groups).map((row) => ({ subscriber_id: subscriberId, ...row })),
  );
  const { rows } = await tx.raw(
    (tenantId) => sql<{ joined: number }>`
    with requests as materialized (
      select each.*
      from json_to_recordset(${JSON.stringify(requests)}::json)
        as each (subscriber_id uuid, change_id uuid, was_active int, active_delta int, lists boolean, audiences boolean)
    ), targets as materialized (
      select each.*
      from json_to_recordset(${JSON.stringify(targets)}::json)
        as each (subscriber_id uuid, group_id uuid, is_audience boolean)
      where not ${isComputed(tenantId, 'each.group_id')}
    ), current as materialized (
      -- Lateral by key: with a join, the planner could read all members of the tenant.
      select r.subscriber_id, m.group_id, r.was_active, r.active_delta, m.is_target,
        case when m.is_audience then r.audiences else r.lists end and not m.is_computed and not m.is_target as is_removed
      from requests r
      cross join lateral (
        select m.group_id, m.is_audience,
          m.is_computed or m.is_audience and ${isComputed(tenantId, 'm.group_id')} as is_computed,
          exists (select from targets t where t.subscriber_id = r.subscriber_id and t.group_id = m.group_id) as is_target
        from subscriber_group_members m
        where m.tenant_id = ${tenantId}::uuid and m.subscriber_id = r.subscriber_id offset 0) m
    ), removed as (
      delete from subscriber_group_members m
      where m.tenant_id = ${tenantId}::uuid and m.subscriber_id = any(array(select subscriber_id from current where is_removed))
        and (m.subscriber_id, m.group_id) in (select subscriber_id, group_id from current where is_removed)
      returning m.subscriber_id, m.group_id
    ), converted as (
      -- The filters of the audience were removed, and a computation will remove its computed members.
      update subscriber_group_members m set is_computed = false
      where m.tenant_id = ${tenantId}::uuid and m.is_computed
        and m.subscriber_id = any(array(select subscriber_id from current where is_target))
        and (m.subscriber_id, m.group_id) in (select subscriber_id, group_id from current where is_target)
    ), added as (
      insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience, joined_at)
      select tenant_row.tenant_id, t.group_id, t.subscriber_id, t.is_audience, ${now}
      from targets t cross join ${tenantRow(tenantId)}
      on conflict do nothing returning group_id, subscriber_id
    ), changed as (
      select c.group_id, -1 as members, -c.was_active as active
        from removed d join current c on c.subscriber_id = d.subscriber_id and c.group_id = d.group_id
      union all
      select a.group_id, 1, r.was_active + r.active_delta
        from added a join requests r on r.subscriber_id = a.subscriber_id
      union all select group_id, 0, active_delta from current where active_delta <> 0 and not is_removed
    ), queued as (
      insert into audience_changes (tenant_id, id, target_id, state, due_at, attempts, subscriber_id)
      select tenant_row.tenant_id, r.change_id, tenant_row.tenant_id, 'pending', 'epoch', 0, r.subscriber_id
      from requests r cross join ${tenantRow(tenantId)} where ${hasComputedAudiences(tenantId)}
    ), signalled as (${writeSignals(tenantId, changeSignals(tenantId, now), now)}
    ), counted as (${countChanged(tenantId)})
    select (select count(*)::int from added) as joined, (select count(*) from counted) as counted`,
  );
  return rows[0]?.joined ?? 0;
}

/** SQL of the signals of watched changes. Joining while inactive takes effect for journeys on activation. */
function changeSignals(tenantId: string, now: Date) {
  return sql`
    select 'list_joined' as kind, a.subscriber_id, a.group_id::text as key, ${now}::timestamptz as occurred_at from added a
    where ${isWatched(tenantId, 'list_joined', sql`a.group_id::text`)}
    union all
    select 'audience_entered', a.subscriber_id, a.group_id::text, ${now}::timestamptz from added a
    where ${isWatched(tenantId, 'audience_entered', sql`a.group_id::text`)}
    union all
    select 'activity', r.subscriber_id, '', ${now}::timestamptz from requests r
    where r.active_delta <> 0 and ${isWatched(tenantId, 'activity', sql`''`)}
      -- No signal for a subscriber that is being created: the joining signal is enough.
      and exists (select from subscribers s where s.tenant_id = ${tenantId}::uuid and s.id = r.subscriber_id)`;
}

/** Removes a deleted subscriber from all groups, including computed ones. */
export async function leaveGroups(tx: ScopedDb, subscriberId: string, wasActive: boolean): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
    with removed as (
      delete from subscriber_group_members
      where tenant_id = ${tenantId}::uuid and subscriber_id = ${subscriberId}::uuid returning group_id
    ), changed as (
      select group_id, -1 as members, ${-Number(wasActive)}::int as active from removed
    ), counted as (${countChanged(tenantId)})
    select count(*) from counted`,
  );
}

/** SQL that adds the rows of the CTE `changed` (group_id, members, active) to the counts of groups. */
export function countChanged(tenantId: string) {
  // Sorted by group to avoid deadlocks.
  return sql`
    insert into subscriber_group_counts as stored (tenant_id, group_id, slot, members, active)
    select tenant_row.tenant_id, sums.group_id, ${randomSlot()}, sums.members, sums.active
    from (select group_id, sum(members) as members, sum(active) as active from changed group by group_id) sums
    cross join ${tenantRow(tenantId)} order by sums.group_id
    on conflict (tenant_id, group_id, slot) do update
      set members = stored.members + excluded.members, active = stored.active + excluded.active
    returning 1`;
}

function isComputed(tenantId: string, groupId: string) {
  return sql<boolean>`exists (select from marketing_audiences a
    where a.tenant_id = ${tenantId}::uuid and a.id = ${sql.ref(groupId)} and a.filters is not null)`;
}

/** Returns rows of groups without duplicates. */
function toRows({ lists, audiences }: Groups) {
  return [
    ...[...new Set(lists)].map((group_id) => ({ group_id, is_audience: false })),
    ...[...new Set(audiences)].map((group_id) => ({ group_id, is_audience: true })),
  ];
}
