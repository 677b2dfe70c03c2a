/**
 * Permission of a grant in one business unit: viewer reads, editor also writes, admin also deletes
 * (docs/specification/tenants.md#memberships-and-grants).
 */
export type Role = 'viewer' | 'editor' | 'admin';

const RANK: Record<Role, number> = { viewer: 1, editor: 2, admin: 3 };

/** Returns true if the role `granted` includes the role `needed`. */
export function roleCovers(granted: Role, needed: Role): boolean {
  return RANK[granted] >= RANK[needed];
}

/** An active business unit in which the caller has a role. */
export interface AuthorizedUnit {
  readonly buId: string;
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly role: Role;
}

/** The caller: one membership of one user in one tenant. Created only from a credential, never from a request body. */
export interface Caller {
  readonly tenantId: string;
  readonly membershipId: string;
  readonly userId: string;
  readonly isTenantAdmin: boolean;
  /** Active units with the caller's role. A tenant owner is admin of every active unit. */
  readonly units: readonly AuthorizedUnit[];
  /** True if `units` includes every unit that owns records, so that queries need no condition on units. */
  readonly reachesAllUnits: boolean;
  /** The unit of a verified X-Business-Unit token. */
  readonly activeUnitId: string | null;
}

/** Returns the caller's role in a unit; null: it has none. */
export function roleIn(caller: Caller, buId: string): Role | null {
  return caller.units.find((unit) => unit.buId === buId)?.role ?? null;
}

/** Returns true if the caller has the role `needed` in at least one unit. */
export function hasRoleInAnyUnit(caller: Caller, needed: Role): boolean {
  return caller.units.some((unit) => roleCovers(unit.role, needed));
}
