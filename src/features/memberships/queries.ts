import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Role } from '../../tenancy/caller.ts';
import type { GrantRow, MembershipRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** A membership with its user's address and name. */
export interface MemberRow extends MembershipRow {
  email: string;
  name: string;
}

/** All memberships of the tenant, newest first. */
export async function listMembers(db: ScopedDb): Promise<MemberRow[]> {
  return members(db).orderBy('m.created_at', 'desc').orderBy('m.membership_id', 'desc').execute();
}

/** One membership. */
export async function getMember(db: ScopedDb, membershipId: string): Promise<MemberRow> {
  return members(db).where('m.membership_id', '=', membershipId).executeTakeFirstOrThrow();
}

function members(db: ScopedDb) {
  return db.query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .selectAll('m')
    .select(['u.email', 'u.name']);
}

/** Inserts an active membership; null when the user has one in this tenant already. */
export async function insertMembership(
  tx: ScopedDb,
  now: Date,
  membership: { readonly userId: string; readonly isTenantAdmin: boolean },
): Promise<MembershipRow | null> {
  const row = await tx.query
    .insertInto('memberships')
    .values({
      tenant_id: tx.tenantId,
      membership_id: uuidv7(),
      user_id: membership.userId,
      is_tenant_admin: membership.isTenantAdmin,
      status: 'active',
      version: 1,
      created_at: now.toISOString(),
      updated_at: null,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the tenant has this membership; it then stays until the transaction ends. */
export async function hasMembership(tx: ScopedDb, membershipId: string): Promise<boolean> {
  const found = await tx.query
    .selectFrom('memberships')
    .select('membership_id')
    .where('membership_id', '=', membershipId)
    .forKeyShare()
    .executeTakeFirst();
  return found !== undefined;
}

/** The membership, locked until the transaction ends. */
export async function lockMembership(tx: ScopedDb, membershipId: string): Promise<MembershipRow | undefined> {
  return tx.query
    .selectFrom('memberships')
    .selectAll()
    .where('membership_id', '=', membershipId)
    .forUpdate()
    .executeTakeFirst();
}

/** Makes changes of who owns the tenant wait for each other, until the transaction ends. */
export async function lockOwnership(tx: ScopedDb): Promise<void> {
  await tx.query.selectFrom('tenants').select('tenant_id').forNoKeyUpdate().execute();
}

/** Whether another membership than this one is an active owner. */
export async function hasOtherOwner(tx: ScopedDb, membershipId: string): Promise<boolean> {
  const other = await tx.query
    .selectFrom('memberships')
    .select('membership_id')
    .where('is_tenant_admin', '=', true)
    .where('status', '=', 'active')
    .where('membership_id', '<>', membershipId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Changes a membership as its next version. */
export async function updateMembership(
  tx: ScopedDb,
  now: Date,
  membership: MembershipRow,
  change: Partial<Pick<MembershipRow, 'status' | 'is_tenant_admin'>>,
): Promise<void> {
  await tx.query
    .updateTable('memberships')
    .set({ ...change, version: membership.version + 1, updated_at: now.toISOString() })
    .where('membership_id', '=', membership.membership_id)
    .execute();
}

/** The grants of one membership, or of all, oldest first. */
export async function listGrants(db: ScopedDb, membershipId?: string): Promise<GrantRow[]> {
  const all = db.query.selectFrom('business_unit_grants').selectAll().orderBy('created_at').orderBy('id');
  return membershipId === undefined ? all.execute() : all.where('membership_id', '=', membershipId).execute();
}

/** What a grant says. */
export interface GrantFacts {
  readonly bu_id: string;
  readonly role: Role;
}

/** Inserts grants of one membership. */
export async function insertGrants(
  tx: ScopedDb,
  now: Date,
  membershipId: string,
  grants: readonly GrantFacts[],
): Promise<GrantRow[]> {
  if (grants.length === 0) return [];
  return tx.query
    .insertInto('business_unit_grants')
    .values(
      grants.map(({ bu_id, role }) => ({
        tenant_id: tx.tenantId,
        id: uuidv7(),
        membership_id: membershipId,
        bu_id,
        role,
        version: 1,
        created_at: now.toISOString(),
      })),
    )
    .returningAll()
    .execute();
}

/** Gives a grant another role, as its next version. */
export async function updateGrant(tx: ScopedDb, grant: GrantRow, role: Role): Promise<GrantRow> {
  return tx.query
    .updateTable('business_unit_grants')
    .set({ role, version: grant.version + 1 })
    .where('id', '=', grant.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes grants. */
export async function deleteGrants(tx: ScopedDb, grants: readonly GrantRow[]): Promise<void> {
  if (grants.length === 0) return;
  const ids = grants.map((grant) => grant.id);
  await tx.query
    .deleteFrom('business_unit_grants')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
