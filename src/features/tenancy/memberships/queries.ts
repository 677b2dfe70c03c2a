import { type SqlBool, sql } from 'kysely';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { grantResource } from './resource.ts';
import type { Grant, MemberName, Membership } from './schema.ts';

/** Lists the memberships with these ids, newest first. */
export async function listMemberships(db: ScopedDb, ids: readonly string[]): Promise<Membership[]> {
  const rows = await members(db)
    .where('m.membership_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('m.created_at', 'desc')
    .orderBy('m.membership_id', 'desc')
    .execute();
  return rows.map(toMembership);
}

/** Position of a membership in the list, and its number of grants. */
export interface MembershipPosition {
  readonly membership_id: string;
  /** Creation time as text, with microseconds. */
  readonly position: string;
  readonly grants: number;
}

/** Lists the next memberships after a position, newest first; null: from the start. */
export function listPositions(
  db: ScopedDb,
  after: MembershipPosition | null,
  limit: number,
): Promise<MembershipPosition[]> {
  const all = db.query
    .selectFrom('memberships as m')
    .select(['m.membership_id', sql<string>`m.created_at::text`.as('position')])
    .select((eb) =>
      eb
        .selectFrom('business_unit_grants as g')
        .select(sql<number>`count(*)::int`.as('grants'))
        .whereRef('g.membership_id', '=', 'm.membership_id')
        .$asScalar()
        .$notNull()
        .as('grants'),
    )
    .orderBy('m.created_at', 'desc')
    .orderBy('m.membership_id', 'desc')
    .limit(limit);
  if (after === null) return all.execute();
  const isAfter = sql<SqlBool>`(m.created_at, m.membership_id) < (${after.position}::timestamptz, ${after.membership_id}::uuid)`;
  return all.where(isAfter).execute();
}

/** Lists the names of the members after an id, in the order of their ids, which is that of their creation. */
export function listNames(db: ScopedDb, after: string | null, limit: number): Promise<MemberName[]> {
  return db.query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['m.membership_id', 'm.user_id', 'u.name'])
    .$if(after !== null, (query) => query.where('m.membership_id', '>', after ?? ''))
    .orderBy('m.membership_id')
    .limit(limit)
    .execute();
}

/** Returns the names of members by their ids; those of deleted memberships are absent. */
export async function namesOfMembers(
  db: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['m.membership_id', 'u.name'])
    .where('m.membership_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ membership_id, name }) => [membership_id, name]));
}

/** Returns the id of the user's active membership, or without `email` that of the oldest active owner. */
export async function findActiveMember(db: ScopedDb, email?: string): Promise<string | null> {
  const active = db.query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select('m.membership_id')
    .where('m.status', '=', 'active')
    .orderBy('m.created_at')
    .orderBy('m.membership_id')
    .limit(1);
  const condition =
    email === undefined
      ? active.where('m.is_tenant_admin', '=', true)
      : active.where(sql<string>`lower(u.email)`, '=', email.toLowerCase());
  return (await condition.executeTakeFirst())?.membership_id ?? null;
}

/** A member with its address. */
export type FoundMember = Pick<Membership, 'membership_id' | 'name' | 'email'>;

/** Finds the member with this id or address, in any letter case. Other texts find none. */
export async function findMembers(db: ScopedDb, text: string): Promise<FoundMember[]> {
  const isAddress = text.includes('@');
  const id = text.toLowerCase();
  if (!isAddress && !isUuid(id)) return [];
  const found = db.query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['m.membership_id', 'u.name', 'u.email']);
  const condition = isAddress
    ? found.where(sql`lower(u.email)`, '=', sql`lower(${text})`)
    : found.where('m.membership_id', '=', id);
  return condition.execute();
}

/** Finds one membership, as the list shows it. */
export async function findMembership(db: ScopedDb, membershipId: string): Promise<Membership | undefined> {
  const row = await members(db).where('m.membership_id', '=', membershipId).executeTakeFirst();
  return row && toMembership(row);
}

/** Returns one membership, as the list shows it, with its version. */
export async function getMembership(
  db: ScopedDb,
  membershipId: string,
): Promise<Membership & { version: number }> {
  const row = await members(db)
    .select('m.version')
    .where('m.membership_id', '=', membershipId)
    .executeTakeFirstOrThrow();
  return { ...toMembership(row), version: row.version };
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof members>['executeTakeFirstOrThrow']>>;

function toMembership(row: MemberRow): Membership {
  const { membership_id, user_id, email, name, is_tenant_admin, status, grants } = row;
  const { last_seen_at, created_at, sent_at, expires_at } = row;
  const user = { membership_id, user_id, email, name, is_tenant_admin, status };
  const member = { ...user, grants, last_seen_at, created_at };
  return sent_at === null || expires_at === null
    ? member
    : { ...member, invitation: { sent_at, expires_at } };
}

function members(db: ScopedDb) {
  return db.query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .leftJoin('invitations as i', 'i.membership_id', 'm.membership_id')
    .select(['m.membership_id', 'm.user_id', 'u.email', 'u.name', 'm.is_tenant_admin', 'm.status'])
    .select(['m.last_seen_at', 'm.created_at', 'i.sent_at', 'i.expires_at'])
    .select((eb) =>
      eb
        .selectFrom('business_unit_grants as g')
        .select(
          sql<
            Grant[]
          >`coalesce(json_agg(${grantResource.sqlView('g')} order by g.created_at, g.id), '[]')`.as('grants'),
        )
        .whereRef('g.membership_id', '=', 'm.membership_id')
        .$asScalar()
        .$notNull()
        .as('grants'),
    );
}

/** Lists the grants of one membership. */
export async function listGrants(db: ScopedDb, membershipId: string) {
  return db.query
    .selectFrom('business_unit_grants')
    .select(['id', 'bu_id', 'role'])
    .where('membership_id', '=', membershipId)
    .execute();
}
