import { sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { grantResource } from './resource.ts';
import type { Grant, Membership } from './schema.ts';

/** All memberships of the tenant as their list shows them, newest first. */
export async function listMemberships(db: ScopedDb): Promise<Membership[]> {
  return members(db).orderBy('m.created_at', 'desc').orderBy('m.membership_id', 'desc').execute();
}

/** One membership as the list shows it, if it is there. */
export function findMembership(db: ScopedDb, membershipId: string): Promise<Membership | undefined> {
  return members(db).where('m.membership_id', '=', membershipId).executeTakeFirst();
}

/** One membership as the list shows it, and its version. */
export async function getMembership(
  db: ScopedDb,
  membershipId: string,
): Promise<Membership & { version: number }> {
  return members(db)
    .select('m.version')
    .where('m.membership_id', '=', membershipId)
    .executeTakeFirstOrThrow();
}

function members(db: ScopedDb) {
  return db.query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['m.membership_id', 'm.user_id', 'u.email', 'u.name', 'm.is_tenant_admin', 'm.status'])
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

/** The grants of one membership. */
export async function listGrants(db: ScopedDb, membershipId: string) {
  return db.query
    .selectFrom('business_unit_grants')
    .select(['id', 'bu_id', 'role'])
    .where('membership_id', '=', membershipId)
    .execute();
}
