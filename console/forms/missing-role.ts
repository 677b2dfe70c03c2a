import type { Access } from './operation.ts';

/** Roles in a business unit, from the weakest. */
const ROLES = ['viewer', 'editor', 'admin'] as const;

type Role = (typeof ROLES)[number];

/** Rights of a member, which decide about the operations that they may call. */
interface Membership {
  readonly is_tenant_admin: boolean;
  readonly units: readonly { readonly slug: string; readonly role: Role }[];
}

/**
 * Returns the role that a member lacks to call an operation: in the unit with this slug or, without one, in any unit.
 * Returns null if they may call it.
 */
export function missingRole(
  access: Access,
  { is_tenant_admin, units }: Membership,
  unit: string | undefined,
): Role | 'owner' | null {
  if (is_tenant_admin) return null;
  if (access === 'owner') return 'owner';
  const needed = ROLES.find((role) => role === access);
  if (needed === undefined) return null;
  const usable = units.filter(({ slug }) => unit === undefined || slug === unit);
  return usable.some(({ role }) => ROLES.indexOf(role) >= ROLES.indexOf(needed)) ? null : needed;
}
