/**
 * What a grant allows in one business unit: viewer reads, editor also writes, admin also deletes
 * (docs/specification/tenants.md#memberships-and-grants).
 */
export type Role = 'viewer' | 'editor' | 'admin';

const RANK: Record<Role, number> = { viewer: 1, editor: 2, admin: 3 };

/** Whether holding `held` is enough where `needed` is asked for. */
export function roleCovers(held: Role, needed: Role): boolean {
  return RANK[held] >= RANK[needed];
}

/** An active business unit that the caller may act in, and as what. */
export interface AuthorizedUnit {
  readonly buId: string;
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly role: Role;
}

/** Who asks: one membership of one user in one tenant. Made only from a credential, never from a request body. */
export interface Caller {
  readonly tenantId: string;
  readonly membershipId: string;
  readonly userId: string;
  readonly isTenantAdmin: boolean;
  /** Active units with the caller's role. A tenant owner is admin of every active unit. */
  readonly units: readonly AuthorizedUnit[];
  /** Whether `units` are all units that own records, so that no condition on units is needed. */
  readonly reachesAllUnits: boolean;
  /** The unit of a verified X-Business-Unit token. */
  readonly activeUnitId: string | null;
}

/** The caller's role in a unit; null when it is not authorized there. */
export function roleIn(caller: Caller, buId: string): Role | null {
  return caller.units.find((unit) => unit.buId === buId)?.role ?? null;
}

/** Whether the caller holds `needed` in at least one unit. */
export function holdsAnywhere(caller: Caller, needed: Role): boolean {
  return caller.units.some((unit) => roleCovers(unit.role, needed));
}
