/** Who is in which list or audience, and how many they are. */
import { expressionBuilder, type Generated, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { Issue } from '../../errors/app-error.ts';
import type { FieldSql } from '../../resources/filter-sql.ts';
import type { CountedField } from '../../resources/filters.ts';
import { isUuid } from '../../resources/keys.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    subscriber_group_members: {
      tenant_id: string;
      group_id: string;
      subscriber_id: string;
      is_audience: boolean;
      /** Put in by a filter. */
      is_computed: Generated<boolean>;
      /** When somebody was named; of those who are put in by a filter it tells nothing. */
      joined_at: Generated<string>;
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

/** Takes all members out of a group that is gone. */
export async function emptyGroup(tx: ScopedDb, groupId: string): Promise<void> {
  await tx.query.deleteFrom('subscriber_group_members').where('group_id', '=', groupId).execute();
  await tx.query.deleteFrom('subscriber_group_counts').where('group_id', '=', groupId).execute();
}

/**
 * Names the groups that are not there, that the caller does not see and the subscriber is not in already, or that are
 * computed and do not have it. Those that are there stay until the transaction ends.
 */
export async function findGroupIssues(tx: ScopedDb, groups: Groups, held: Groups): Promise<Issue[]> {
  return [
    ...(await findIssues(tx, 'lists', groups.lists, held.lists, true)),
    ...(await findIssues(tx, 'audiences', groups.audiences, held.audiences, true)),
  ];
}

/** The same for what is to all members of groups, whether these are computed or not. */
export async function findAddressIssues(tx: ScopedDb, groups: Groups, held: Groups): Promise<Issue[]> {
  return [
    ...(await findIssues(tx, 'lists', groups.lists, held.lists, false)),
    ...(await findIssues(tx, 'audiences', groups.audiences, held.audiences, false)),
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
  held: readonly string[],
  joins: boolean,
): Promise<Issue[]> {
  if (ids.length === 0) return [];
  const { noun } = KINDS[kind];
  const rows = await lockGroups(tx, kind, ids);
  const isSeen = isSeenBy(tx);
  const known = new Map(
    rows.filter((row) => held.includes(row.id) || isSeen(row)).map((row) => [row.id, row]),
  );
  return ids.flatMap((id, index) => {
    const field = `${kind}[${index}]`;
    const group = known.get(id);
    if (group === undefined) return [{ field, message: `names no ${noun}` }];
    // Whoever reads a subscriber and writes it back names those that it is in.
    if (joins && group.is_computed && !held.includes(id))
      return [{ field, message: 'is computed: nobody can join it' }];
    return [];
  });
}

/** The groups of these ids that are there, whoever owns them; they stay until the transaction ends. */
async function lockGroups(tx: ScopedDb, kind: keyof Groups, ids: readonly string[]) {
  const { table, computed } = KINDS[kind];
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string; owner_bu_id: string; is_computed: boolean }>`
    select id, owner_bu_id, ${computed} as is_computed from ${sql.table(table)}
    where tenant_id = ${tenantId}::uuid and id = any(${ids.filter(isUuid)}::uuid[]) order by id for key share`,
  );
  return rows;
}

/** Those of these groups that are there and that the scope sees. They stay until the transaction ends. */
export async function holdSeenGroups(tx: ScopedDb, { lists, audiences }: Groups): Promise<Groups> {
  const idsOf = (rows: Awaited<ReturnType<typeof lockGroups>>) =>
    rows.filter(isSeenBy(tx)).map(({ id }) => id);
  return {
    lists: idsOf(await lockGroups(tx, 'lists', lists)),
    audiences: idsOf(await lockGroups(tx, 'audiences', audiences)),
  };
}

function isSeenBy({ scope: { read } }: ScopedDb) {
  return ({ owner_bu_id }: { owner_bu_id: string }) => read === 'all' || read.includes(owner_bu_id);
}

/** Those of these groups that are there, a unit's own and not computed. They stay until the transaction ends. */
export async function holdGroupsOf(tx: ScopedDb, ownerBuId: string, groups: Groups): Promise<Groups> {
  const held = async (kind: keyof Groups) => {
    if (groups[kind].length === 0) return [];
    const rows = await lockGroups(tx, kind, groups[kind]);
    return rows
      .filter(({ owner_bu_id, is_computed }) => owner_bu_id === ownerBuId && !is_computed)
      .map(({ id }) => id);
  };
  return { lists: await held('lists'), audiences: await held('audiences') };
}

/** The ids of the groups of one kind that a subscriber, a row of `table`, is in. */
export function groupIdsOf(kind: keyof Groups, table: string) {
  return expressionBuilder<Tables, never>()
    .selectFrom('subscriber_group_members as member')
    .select(sql<unknown>`coalesce(json_agg(member.group_id order by member.group_id), '[]')`.as('ids'))
    .where('member.subscriber_id', '=', subscriberOf(table))
    .where('member.is_audience', '=', kind === 'audiences');
}

/** The ids of the groups, of either kind unless one is named, that each of these subscribers is in. */
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

/** The groups of these people into which they came at moments that are known, and when that was. */
export function listJoinings(db: ScopedDb, subscriberIds: readonly string[]) {
  return db.query
    .selectFrom('subscriber_group_members')
    .select(['subscriber_id', 'group_id', 'is_audience', 'joined_at'])
    .where('subscriber_id', '=', sql<string>`any(${subscriberIds}::uuid[])`)
    .where('joined_at', '>', '-infinity')
    .execute();
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

/** The same of the audiences that the subscriber itself names: none of them is computed. */
export function inNamedAudiences(table: string): FieldSql {
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

/** Where the subscribers of a group of one kind are counted. */
export function countedIn(kind: keyof Groups): CountedField {
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
