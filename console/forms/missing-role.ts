import type { Operation } from './operation.ts';

/** Roles in a business unit, from the weakest. */
const ROLES = ['viewer', 'editor', 'admin'] as const;

type Role = (typeof ROLES)[number];

/** Rights of a member, which decide about the operations that they may call. */
interface Membership {
  readonly is_tenant_admin: boolean;
  readonly units: readonly { readonly slug: string; readonly is_default: boolean; readonly role: Role }[];
}

/** The part of an operation that says who may call it. */
export type Protected = Pick<Operation, 'access' | 'accessUnit'>;

/**
 * Returns the role that a member lacks to call an operation: in Default if the operation says so, else in the unit with
 * this slug or, without one, in any unit. Returns null if they may call it.
 */
export function missingRole(
  { access, accessUnit }: Protected,
  { is_tenant_admin, units }: Membership,
  unit: string | undefined,
): Role | 'owner' | null {
  if (is_tenant_admin) return null;
  if (access === 'owner') return 'owner';
  const needed = ROLES.find((role) => role === access);
  if (needed === undefined) return null;
  const usable = units.filter(({ slug, is_default }) =>
    accessUnit === 'default' ? is_default : unit === undefined || slug === unit,
  );
  return usable.some(({ role }) => ROLES.indexOf(role) >= ROLES.indexOf(needed)) ? null : needed;
}
