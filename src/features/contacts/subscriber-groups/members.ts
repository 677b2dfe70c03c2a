/** Members of lists and audiences, and member counts. */

import { expressionBuilder, type Generated, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { Issue } from '../../../errors/app-error.ts';
import type { CountedField, FieldSql } from '../../../resources/filter-field.ts';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    subscriber_group_members: {
      tenant_id: string;
      group_id: string;
      subscriber_id: string;
      is_audience: boolean;
      /** True if a filter added the member. */
      is_computed: Generated<boolean>;
      /** Time of joining; `-infinity` if unknown, as for some computed members. */
      joined_at: Generated<string>;
    };
    subscriber_group_counts: {
      tenant_id: string;
      group_id: string;
      slot: number;
      members: number;
      /** Number of active members. */
      active: number;
    };
  }
}

/** The groups of a subscriber, by kind. */
export interface Groups {
  readonly lists: readonly string[];
  readonly audiences: readonly string[];
}

/** Removes all members of a deleted group. */
export async function removeMembers(tx: ScopedDb, groupId: string): Promise<void> {
  await tx.query.deleteFrom('subscriber_group_members').where('group_id', '=', groupId).execute();
  await tx.query.deleteFrom('subscriber_group_counts').where('group_id', '=', groupId).execute();
}

/**
 * Finds groups that a subscriber cannot join: unknown, invisible to the caller, or computed. `current` groups are
 * allowed. Share-locks the existing groups until the transaction ends.
 */
export async function findGroupIssues(tx: ScopedDb, groups: Groups, current: Groups): Promise<Issue[]> {
  return [
    ...(await findIssues(tx, 'lists', groups.lists, current.lists, true)),
    ...(await findIssues(tx, 'audiences', groups.audiences, current.audiences, true)),
  ];
}

/** Finds groups to which mail cannot be sent. Unlike `findGroupIssues`, allows computed audiences. */
export async function findRecipientGroupIssues(
  tx: ScopedDb,
  groups: Groups,
  current: Groups,
): Promise<Issue[]> {
  return [
    ...(await findIssues(tx, 'lists', groups.lists, current.lists, false)),
    ...(await findIssues(tx, 'audiences', groups.audiences, current.audiences, false)),
  ];
}

const KINDS = {
  lists: { table: 'marketing_lists', noun: 'list', computed: sql<boolean>`false` },
  audiences: {
    table: 'marketing_audiences',
    noun: 'audience',
    computed: sql<boolean>`filters is not null`,
  },
} as const;

async function findIssues(
  tx: ScopedDb,
  kind: keyof Groups,
  ids: readonly string[],
  current: readonly string[],
  isForJoining: boolean,
): Promise<Issue[]> {
  if (ids.length === 0) return [];
  const { noun } = KINDS[kind];
  const rows = await lockGroups(tx, kind, ids);
  const isVisible = isVisibleTo(tx);
  const known = new Map(
    rows.filter((row) => current.includes(row.id) || isVisible(row)).map((row) => [row.id, row]),
  );
  return ids.flatMap((id, index) => {
    const field = `${kind}[${index}]`;
    const group = known.get(id);
    if (group === undefined) return [{ field, message: `must reference an existing ${noun}` }];
    // Computed audiences of the subscriber are allowed, so that clients can write back what they have read.
    if (isForJoining && group.is_computed && !current.includes(id))
      return [{ field, message: 'is a computed audience; subscribers cannot be added to it' }];
    return [];
  });
}

/** Share-locks the existing groups of all units among these ids until the transaction ends. */
async function lockGroups(tx: ScopedDb, kind: keyof Groups, ids: readonly string[]) {
  const { table, computed } = KINDS[kind];
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string; owner_bu_id: string; is_computed: boolean }>`
    select id, owner_bu_id, ${computed} as is_computed from ${sql.table(table)}
    where tenant_id = ${tenantId}::uuid and id = any(${ids.filter(isUuid)}::uuid[]) order by id for key share`,
  );
  return rows;
}

/** Share-locks the groups that exist and are visible in the scope, until the transaction ends. Returns their ids. */
export async function lockVisibleGroups(tx: ScopedDb, { lists, audiences }: Groups): Promise<Groups> {
  const idsOf = (rows: Awaited<ReturnType<typeof lockGroups>>) =>
    rows.filter(isVisibleTo(tx)).map(({ id }) => id);
  return {
    lists: idsOf(await lockGroups(tx, 'lists', lists)),
    audiences: idsOf(await lockGroups(tx, 'audiences', audiences)),
  };
}

function isVisibleTo({ scope: { read } }: ScopedDb) {
  return ({ owner_bu_id }: { owner_bu_id: string }) => read === 'all' || read.includes(owner_bu_id);
}

/** Share-locks the groups of a unit that are not computed, until the transaction ends. Returns their ids. */
export async function lockGroupsOf(tx: ScopedDb, ownerBuId: string, groups: Groups): Promise<Groups> {
  const lock = async (kind: keyof Groups) => {
    if (groups[kind].length === 0) return [];
    const rows = await lockGroups(tx, kind, groups[kind]);
    return rows
      .filter(({ owner_bu_id, is_computed }) => owner_bu_id === ownerBuId && !is_computed)
      .map(({ id }) => id);
  };
  return { lists: await lock('lists'), audiences: await lock('audiences') };
}

/** Query of the ids of a subscriber's groups of one kind; the subscriber is a row of `table`. */
export function groupIdsOf(kind: keyof Groups, table: string) {
  return expressionBuilder<Tables, never>()
    .selectFrom('subscriber_group_members as member')
    .select(sql<unknown>`coalesce(json_agg(member.group_id order by member.group_id), '[]')`.as('ids'))
    .where('member.subscriber_id', '=', subscriberOf(table))
    .where('member.is_audience', '=', kind === 'audiences');
}

/** Returns the group ids of subscribers, of one kind or of both. */
export async function listGroupsOf(
  db: ScopedDb,
  subscriberIds: readonly string[],
  kind?: keyof Groups,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const all = db.query
    .selectFrom('subscriber_group_members')
    .select(['subscriber_id', 'group_id'])
    .where('subscriber_id', '=', sql<string>`any(${subscriberIds}::uuid[])`);
  const rows = await (kind === undefined
    ? all
    : all.where('is_audience', '=', kind === 'audiences')
  ).execute();
  const groups = Map.groupBy(rows, ({ subscriber_id }) => subscriber_id);
  return new Map([...groups].map(([id, own]) => [id, new Set(own.map(({ group_id }) => group_id))]));
}

/** Lists the memberships of subscribers with a known time of joining. */
export function listMemberships(db: ScopedDb, subscriberIds: readonly string[]) {
  return db.query
    .selectFrom('subscriber_group_members')
    .select(['subscriber_id', 'group_id', 'is_audience', 'joined_at'])
    .where('subscriber_id', '=', sql<string>`any(${subscriberIds}::uuid[])`)
    .where('joined_at', '>', '-infinity')
    .execute();
}

/** Filter SQL on the groups of one kind of a subscriber, a row of `table`. */
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

/** Filter SQL on the audiences without filters to which a subscriber was added manually. */
export function inManualAudiences(table: string): FieldSql {
  const eb = expressionBuilder<Tables, never>();
  return (compare) =>
    eb.exists(
      eb
        .selectFrom('subscriber_group_members as member')
        .innerJoin('marketing_audiences as audience', 'audience.id', 'member.group_id')
        .select('member.group_id')
        .where('member.subscriber_id', '=', subscriberOf(table))
        .where('member.is_computed', '=', false)
        .where('audience.filters', 'is', null)
        .where(compare(sql.ref('member.group_id'))),
    );
}

/** Stored member count of a group of one kind, for the totals of lists. */
export function memberCounter(kind: keyof Groups): CountedField {
  const eb = expressionBuilder<Tables, never>();
  const groups =
    kind === 'lists'
      ? eb.selectFrom('marketing_lists as counted').select('counted.id')
      : eb.selectFrom('marketing_audiences as counted').select('counted.id');
  return {
    table: 'subscriber_group_counts',
    column: 'members',
    of: (id) =>
      sql<SqlBool>`group_id = ${id} and group_id in ${groups.where('counted.id', '=', sql<string>`${id}`)}`,
  };
}

function subscriberOf(table: string) {
  return sql<string>`${sql.ref(`${table}.id`)}`;
}

/** Returns the sum of the members of groups; members of several groups count several times. */
export async function countMembers(db: ScopedDb, groupIds: readonly string[]): Promise<number> {
  const { members } = await db.query
    .selectFrom('subscriber_group_counts')
    .select(sql<number>`coalesce(sum(members), 0)::int`.as('members'))
    .where('group_id', '=', sql<string>`any(${groupIds}::uuid[])`)
    .executeTakeFirstOrThrow();
  return members;
}

/** SQL that returns the name of an audience if the text is its id, else the text. */
export function audienceNameOf(text: RawBuilder<unknown>) {
  const named = expressionBuilder<Tables, never>()
    .selectFrom('marketing_audiences as named')
    .select('named.name')
    .where(sql<string>`named.id::text`, '=', sql<string>`${text}`);
  return sql<string>`coalesce((${named}), ${text})`;
}

/** Returns the ids of groups that are visible to the caller. */
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
