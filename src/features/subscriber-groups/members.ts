/** Who is in which list or audience, and how many they are. */
import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { Issue } from '../../errors/app-error.ts';
import type { FieldSql } from '../../resources/filter-sql.ts';
import { isUuid } from '../../resources/keys.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { homeIn } from '../../tenancy/tenant-home.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    subscriber_group_members: {
      tenant_id: string;
      group_id: string;
      subscriber_id: string;
      is_audience: boolean;
    };
    subscriber_group_counts: {
      tenant_id: string;
      group_id: string;
      slot: number;
      members: number;
      /** Those of them that are active. */
      active: number;
    };
  }
}

/** The groups of a subscriber, by kind. */
export interface Groups {
  readonly lists: readonly string[];
  readonly audiences: readonly string[];
}

/** Somebody whose groups change. `was` and `is` tell whether it was active before and is afterwards. */
export interface GroupChange {
  readonly subscriberId: string;
  /** All groups that it is in afterwards. */
  readonly groups: Groups;
  readonly was: boolean;
  readonly is: boolean;
}

/** How many rows the counts of one group are spread over. */
const SLOTS = 8;

/** Makes `groups`, which exist, all groups of a subscriber, and keeps the counts, in one statement. */
export async function replaceGroups(
  tx: ScopedDb,
  { subscriberId, groups, was, is }: GroupChange,
): Promise<void> {
  const wanted = toRows(groups);
  const ids = wanted.map(({ group_id }) => group_id);
  const turned = Number(is) - Number(was);
  await tx.raw(
    (tenantId) => sql`
    with wanted as materialized (
      select each.group_id, each.is_audience
      from json_to_recordset(${JSON.stringify(wanted)}::json) as each (group_id uuid, is_audience boolean)
    ), gone as (
      delete from subscriber_group_members
      where tenant_id = ${tenantId}::uuid and subscriber_id = ${subscriberId}::uuid and group_id <> all(${ids}::uuid[])
      returning group_id
    ), come as (
      insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience)
      select home.tenant_id, wanted.group_id, ${subscriberId}::uuid, wanted.is_audience
      from wanted cross join ${homeIn(tenantId)}
      on conflict do nothing returning group_id
    ), changed as (
      select group_id, -1 as members, ${-Number(was)}::int as active from gone
      union all select group_id, 1, ${Number(is)}::int from come
      union all select group_id, 0, ${turned}::int from wanted
        where ${turned}::int <> 0 and group_id not in (select group_id from come)
    ), counted as (${countChanged(tenantId)})
    select count(*) from counted`,
  );
}

/** Counts, of groups, what a `with` has called `changed`. */
function countChanged(tenantId: string) {
  const slot = Math.floor(Math.random() * SLOTS);
  // In one order, so that two of them never wait for each other.
  return sql`
    insert into subscriber_group_counts as stored (tenant_id, group_id, slot, members, active)
    select home.tenant_id, changed.group_id, ${slot}, changed.members, changed.active
    from changed cross join ${homeIn(tenantId)} order by changed.group_id
    on conflict (tenant_id, group_id, slot) do update
      set members = stored.members + excluded.members, active = stored.active + excluded.active
    returning 1`;
}

/** Each group once. */
function toRows({ lists, audiences }: Groups) {
  return [
    ...[...new Set(lists)].map((group_id) => ({ group_id, is_audience: false })),
    ...[...new Set(audiences)].map((group_id) => ({ group_id, is_audience: true })),
  ];
}

/**
 * Puts a subscriber into groups, which exist, beside those that it is in, and keeps the counts, in one statement. Tells
 * whether it was not in all of them yet.
 */
export async function joinGroups(
  tx: ScopedDb,
  { subscriberId, groups, was, is }: GroupChange,
): Promise<boolean> {
  const turned = Number(is) - Number(was);
  const { rows } = await tx.raw(
    (tenantId) => sql<{ joined: number }>`
    with come as (
      insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience)
      select home.tenant_id, each.group_id, ${subscriberId}::uuid, each.is_audience
      from json_to_recordset(${JSON.stringify(toRows(groups))}::json) as each (group_id uuid, is_audience boolean)
      cross join ${homeIn(tenantId)}
      on conflict do nothing returning group_id
    ), changed as (
      select group_id, 1 as members, ${Number(is)}::int as active from come
      union all select group_id, 0, ${turned}::int from subscriber_group_members
        where tenant_id = ${tenantId}::uuid and subscriber_id = ${subscriberId}::uuid and ${turned}::int <> 0
    ), counted as (${countChanged(tenantId)})
    select count(*)::int as joined from come`,
  );
  return (rows[0]?.joined ?? 0) > 0;
}

/** Those of these groups that are there and a unit's own. They stay until the transaction ends. */
export async function holdGroupsOf(tx: ScopedDb, ownerBuId: string, groups: Groups): Promise<Groups> {
  const held = async (kind: keyof Groups) => {
    if (groups[kind].length === 0) return [];
    const rows = await lockGroups(tx, kind, groups[kind]);
    return rows.filter(({ owner_bu_id }) => owner_bu_id === ownerBuId).map(({ id }) => id);
  };
  return { lists: await held('lists'), audiences: await held('audiences') };
}

/** Takes all members out of a group that is gone. */
export async function emptyGroup(tx: ScopedDb, groupId: string): Promise<void> {
  await tx.query.deleteFrom('subscriber_group_members').where('group_id', '=', groupId).execute();
  await tx.query.deleteFrom('subscriber_group_counts').where('group_id', '=', groupId).execute();
}

/**
 * Names the groups that are not there, or that the caller does not see and the subscriber is not in already. Those that are
 * there stay until the transaction ends.
 */
export async function findGroupIssues(tx: ScopedDb, groups: Groups, held: Groups): Promise<Issue[]> {
  return [
    ...(await findIssues(tx, 'lists', groups.lists, held.lists)),
    ...(await findIssues(tx, 'audiences', groups.audiences, held.audiences)),
  ];
}

const KINDS = {
  lists: { table: 'marketing_lists', noun: 'list' },
  audiences: { table: 'marketing_audiences', noun: 'audience' },
} as const;

async function findIssues(
  tx: ScopedDb,
  kind: keyof Groups,
  ids: readonly string[],
  held: readonly string[],
): Promise<Issue[]> {
  if (ids.length === 0) return [];
  const { noun } = KINDS[kind];
  const rows = await lockGroups(tx, kind, ids);
  const { read } = tx.scope;
  const isSeen = (owner: string) => read === 'all' || read.includes(owner);
  const known = new Set(
    rows.filter(({ id, owner_bu_id }) => held.includes(id) || isSeen(owner_bu_id)).map(({ id }) => id),
  );
  return ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `${kind}[${index}]`, message: `names no ${noun}` }],
  );
}

/** The groups of these ids that are there, whoever owns them; they stay until the transaction ends. */
async function lockGroups(tx: ScopedDb, kind: keyof Groups, ids: readonly string[]) {
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string; owner_bu_id: string }>`
    select id, owner_bu_id from ${sql.table(KINDS[kind].table)}
    where tenant_id = ${tenantId}::uuid and id = any(${ids.filter(isUuid)}::uuid[]) order by id for key share`,
  );
  return rows;
}

/** The ids of the groups of one kind that a subscriber, a row of `table`, is in. */
export function groupIdsOf(kind: keyof Groups, table: string) {
  return expressionBuilder<Tables, never>()
    .selectFrom('subscriber_group_members as member')
    .select(sql<unknown>`coalesce(json_agg(member.group_id order by member.group_id), '[]')`.as('ids'))
    .where('member.subscriber_id', '=', subscriberOf(table))
    .where('member.is_audience', '=', kind === 'audiences');
}

/** Compares the groups of one kind that a subscriber, a row of `table`, is in. */
export function inGroups(kind: keyof Groups, table: string): FieldSql {
  const eb = expressionBuilder<Tables, never>();
  return (compare) =>
    eb.exists(
      eb
        .selectFrom('subscriber_group_members as member')
        .select('member.group_id')
        .where('member.subscriber_id', '=', subscriberOf(table))
        .where('member.is_audience', '=', kind === 'audiences')
        .where(compare(sql.ref('member.group_id'))),
    );
}

function subscriberOf(table: string) {
  return sql<string>`${sql.ref(`${table}.id`)}`;
}

/** How many are in these groups together; who is in several is counted for each. */
export async function countMembers(db: ScopedDb, groupIds: readonly string[]): Promise<number> {
  const { members } = await db.query
    .selectFrom('subscriber_group_counts')
    .select(sql<number>`coalesce(sum(members), 0)::int`.as('members'))
    .where('group_id', '=', sql<string>`any(${groupIds}::uuid[])`)
    .executeTakeFirstOrThrow();
  return members;
}

/** The name of the audience whose id a text is, else the text. */
export function audienceNameOf(words: RawBuilder<unknown>) {
  const named = expressionBuilder<Tables, never>()
    .selectFrom('marketing_audiences as named')
    .select('named.name')
    .where(sql<string>`named.id::text`, '=', sql<string>`${words}`);
  return sql<string>`coalesce((${named}), ${words})`;
}

/** Which of these ids are groups that the caller sees. */
export async function listVisibleGroups(
  db: ScopedDb,
  kind: keyof Groups,
  ids: readonly string[],
): Promise<string[]> {
  const found = await db.query
    .selectFrom(KINDS[kind].table)
    .select('id')
    .where('id', '=', sql<string>`any(${ids.filter(isUuid)}::uuid[])`)
    .execute();
  return found.map(({ id }) => id);
}
