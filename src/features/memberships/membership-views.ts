import { recordVersions } from '../../resources/history.ts';
import type { Writer } from '../../resources/statements.ts';
import type { GrantRow } from '../../tenancy/identity-tables.ts';
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
export async function recordMembership(writer: Writer, membershipId: string): Promise<void> {
  const member = await getMember(writer.db, membershipId);
  const grants = await listGrants(writer.db, membershipId);
  await recordVersions(writer, [
    {
      entityType: 'tenant_membership',
      sortKey: membershipId,
      version: member.version,
      ownerBuId: null,
      recordedAt: writer.now,
      data: toMembership(member, grants),
    },
  ]);
}
