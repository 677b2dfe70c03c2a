import type { AuthorizedUnit, Caller } from './caller.ts';
import { toCaller } from './find-caller.ts';
import type { ScopedDb } from './scoped-db.ts';

/**
 * Returns the current caller of a membership, for work that was requested earlier. Returns null if the membership is
 * missing or inactive. `db` must have the scope of the whole tenant.
 */
export async function findCallerByMembership(db: ScopedDb, membershipId: string): Promise<Caller | null> {
  const member = await db.query
    .selectFrom('memberships')
    .select(['user_id', 'is_tenant_admin'])
    .where('membership_id', '=', membershipId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (member === undefined) return null;
  const rows = await db.query
    .selectFrom('business_units as u')
    .leftJoin('business_unit_grants as g', (join) =>
      join.onRef('g.bu_id', '=', 'u.bu_id').on('g.membership_id', '=', membershipId),
    )
    .select(['u.bu_id', 'u.name', 'u.slug', 'u.is_default', 'u.archived_at', 'g.role'])
    .orderBy('u.is_default', 'desc')
    .orderBy('u.created_at')
    .orderBy('u.bu_id')
    .execute();
  const units = rows.flatMap(({ bu_id, name, slug, is_default, archived_at, role }): AuthorizedUnit[] => {
    const granted = member.is_tenant_admin ? 'admin' : role;
    if (archived_at !== null || granted === null) return [];
    return [{ buId: bu_id, name, slug, isDefault: is_default, role: granted }];
  });
  return toCaller({
    tenant_id: db.tenantId,
    membership_id: membershipId,
    units,
    user_id: member.user_id,
    is_tenant_admin: member.is_tenant_admin,
    has_archived_units: rows.some(({ archived_at }) => archived_at !== null),
  });
}
