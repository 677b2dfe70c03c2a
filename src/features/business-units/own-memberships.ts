import type { Platform } from '../../platform.ts';
import type { MembershipRow } from '../../tenancy/identity-tables.ts';

/** A membership as its own user sees it. */
export interface OwnMembership extends Pick<MembershipRow, 'tenant_id' | 'is_tenant_admin' | 'status'> {
  tenant_name: string;
  tenant_code: string;
}

/** All memberships of a user, in every tenant, by the tenants' names. */
export async function listOwnMemberships({ database }: Platform, userId: string): Promise<OwnMembership[]> {
  return database
    .everyTenant('own-memberships')
    .query.selectFrom('memberships as m')
    .innerJoin('tenants as t', 't.tenant_id', 'm.tenant_id')
    .select([
      't.tenant_id',
      't.name as tenant_name',
      't.code as tenant_code',
      'm.is_tenant_admin',
      'm.status',
    ])
    .where('m.user_id', '=', userId)
    .orderBy('t.name')
    .orderBy('t.code')
    .execute();
}
