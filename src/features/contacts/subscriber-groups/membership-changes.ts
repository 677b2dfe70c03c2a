/** Changes of memberships. Each one updates the counts and queues the subscribers for their computed audiences. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { homeIn } from '../../../tenancy/tenant-home.ts';
import { hasComputed } from './computations.ts';
import type { Groups } from './members.ts';
import { isWatched, writeSignals } from './signals.ts';

/** A change of one subscriber's groups. `was` and `is`: active before and after the change. */
export interface GroupChange {
  readonly subscriberId: string;
  /** Groups after the change. Computed audiences are ignored. */
  readonly groups: Groups;
  /** Kinds of groups to replace; groups of other kinds are only added. Default: both. */
  readonly replaces?: readonly (keyof Groups)[];
  readonly was: boolean;
  readonly is: boolean;
}

/** Number of rows over which the counts of a group are spread, to reduce lock contention. */
const SLOTS = 8;

/** Returns a random slot of the counts. */
export function randomSlot(): number {
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
  const people = changes.map(({ subscriberId, was, is, replaces = ['lists', 'audiences'] }) => ({
    subscriber_id: subscriberId,
    // The id contains the time of the change.
    change_id: uuidv7({ msecs: now.getTime() }),
    was: Number(was),
    turned: Number(is) - Number(was),
    lists: replaces.includes('lists'),
    audiences: replaces.includes('audiences'),
  }));
  const wanted = changes.flatMap(({ subscriberId, groups }) =>
    toRows(groups).map((row) => ({ subscriber_id: subscriberId, ...row })),
  );
  const { rows } = await tx.raw(
    (tenantId) => sql<{ joined: number }>`
    with people as materialized (
      select each.*
      from json_to_recordset(${JSON.stringify(people)}::json)
        as each (subscriber_id uuid, change_id uuid, was int, turned int, lists boolean, audiences boolean)
    ), wanted as materialized (
      select each.*
      from json_to_recordset(${JSON.stringify(wanted)}::json)
        as each (subscriber_id uuid, group_id uuid, is_audience boolean)
      where not ${isComputed(tenantId, 'each.group_id')}
    ), current as materialized (
      -- Lateral by key: with a join, the planner could read all members of the tenant.
      select p.subscriber_id, m.group_id, p.was, p.turned, m.is_wanted,
        case when m.is_audience then p.audiences else p.lists end and not m.is_kept and not m.is_wanted as goes
      from people p
      cross join lateral (
        select m.group_id, m.is_audience,
          m.is_computed or m.is_audience and ${isComputed(tenantId, 'm.group_id')} as is_kept,
          exists (select from wanted w where w.subscriber_id = p.subscriber_id and w.group_id = m.group_id) as is_wanted
        from subscriber_group_members m
        where m.tenant_id = ${tenantId}::uuid and m.subscriber_id = p.subscriber_id offset 0) m
    ), gone as (
      delete from subscriber_group_members m
      where m.tenant_id = ${tenantId}::uuid and m.subscriber_id = any(array(select subscriber_id from current where goes))
        and (m.subscriber_id, m.group_id) in (select subscriber_id, group_id from current where goes)
      returning m.subscriber_id, m.group_id
    ), named as (
      -- Members of an audience whose filters were removed, before the computation removes the computed ones.
      update subscriber_group_members m set is_computed = false
      where m.tenant_id = ${tenantId}::uuid and m.is_computed
        and m.subscriber_id = any(array(select subscriber_id from current where is_wanted))
        and (m.subscriber_id, m.group_id) in (select subscriber_id, group_id from current where is_wanted)
    ), come as (
      insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience, joined_at)
      select home.tenant_id, w.group_id, w.subscriber_id, w.is_audience, ${now}
      from wanted w cross join ${homeIn(tenantId)}
      on conflict do nothing returning group_id, subscriber_id
    ), changed as (
      select h.group_id, -1 as members, -h.was as active
        from gone g join current h on h.subscriber_id = g.subscriber_id and h.group_id = g.group_id
      union all select c.group_id, 1, p.was + p.turned from come c join people p on p.subscriber_id = c.subscriber_id
      union all select group_id, 0, turned from current where turned <> 0 and not goes
    ), noted as (
      insert into audience_changes (tenant_id, id, target_id, state, due_at, attempts, subscriber_id)
      select home.tenant_id, p.change_id, home.tenant_id, 'pending', 'epoch', 0, p.subscriber_id
      from people p cross join ${homeIn(tenantId)} where ${hasComputed(tenantId)}
    ), signalled as (${writeSignals(tenantId, watchedChanges(tenantId, now), now)}
    ), counted as (${countChanged(tenantId)})
    select (select count(*)::int from come) as joined, (select count(*) from counted) as counted`,
  );
  return rows[0]?.joined ?? 0;
}

/** SQL of the signals of watched changes. Joining while inactive takes effect for journeys on activation. */
function watchedChanges(tenantId: string, now: Date) {
  return sql`
    select 'list_joined' as kind, c.subscriber_id, c.group_id::text as key, ${now}::timestamptz as occurred_at from come c
    where ${isWatched(tenantId, 'list_joined', sql`c.group_id::text`)}
    union all
    select 'audience_entered', c.subscriber_id, c.group_id::text, ${now}::timestamptz from come c
    where ${isWatched(tenantId, 'audience_entered', sql`c.group_id::text`)}
    union all
    select 'activity', p.subscriber_id, '', ${now}::timestamptz from people p
    where p.turned <> 0 and ${isWatched(tenantId, 'activity', sql`''`)}
      -- No signal for a subscriber that is being created: the joining signal is enough.
      and exists (select from subscribers s where s.tenant_id = ${tenantId}::uuid and s.id = p.subscriber_id)`;
}

/** Removes a deleted subscriber from all groups, including computed ones. */
export async function leaveGroups(tx: ScopedDb, subscriberId: string, was: boolean): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
    with gone as (
      delete from subscriber_group_members
      where tenant_id = ${tenantId}::uuid and subscriber_id = ${subscriberId}::uuid returning group_id
    ), changed as (
      select group_id, -1 as members, ${-Number(was)}::int as active from gone
    ), counted as (${countChanged(tenantId)})
    select count(*) from counted`,
  );
}

/** SQL that adds the rows of the CTE `changed` to the counts of groups. */
function countChanged(tenantId: string) {
  // Sorted by group to avoid deadlocks.
  return sql`
    insert into subscriber_group_counts as stored (tenant_id, group_id, slot, members, active)
    select home.tenant_id, sums.group_id, ${randomSlot()}, sums.members, sums.active
    from (select group_id, sum(members) as members, sum(active) as active from changed group by group_id) sums
    cross join ${homeIn(tenantId)} order by sums.group_id
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
