import { recordVersions } from '../../resources/history.ts';
import type { GrantRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { getMember, listGrants, type MemberRow } from './queries.ts';
import type { Grant, Membership } from './schema.ts';

/** A membership as lists show it. */
export function toMembership(member: MemberRow, grants: readonly GrantRow[]): Membership {
  return {
    membership_id: member.membership_id,
    user_id: member.user_id,
    email: member.email,
    name: member.name,
    is_tenant_admin: member.is_tenant_admin,
    status: member.status,
    grants: grants.map(toGrant),
  };
}

/** A grant as lists show it. */
export function toGrant({ id, membership_id, bu_id, role, created_at }: GrantRow): Grant {
  return { id, membership_id, bu_id, role, created_at };
}

/** Records a membership's present version, its grants included. */
export async function recordMembership(tx: ScopedDb, now: Date, membershipId: string): Promise<void> {
  const member = await getMember(tx, membershipId);
  const grants = await listGrants(tx, membershipId);
  await recordVersions(tx, [
    {
      entityType: 'tenant_membership',
      sortKey: membershipId,
      version: member.version,
      ownerBuId: null,
      recordedAt: now,
      data: toMembership(member, grants),
    },
  ]);
}
