import { AppError } from '../errors/app-error.ts';
import { BUSINESS_UNIT_REQUIRED, FORBIDDEN } from '../errors/platform-errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import {
  type AuthorizedUnit,
  type Caller,
  hasRoleInAnyUnit,
  type Role,
  roleCovers,
  roleIn,
} from '../tenancy/caller.ts';
import { unitNamed } from '../tenancy/unit-names.ts';
import { isOwned, type Resource } from './resource.ts';

/**
 * Returns the unit that will own a new record: that of its parent, if given; else
 * (docs/specification/tenants.md#what-a-call-reaches) the one that the body names by id, slug or name, else the Active
 * unit, else Default, else the member's only unit.
 * @throws AppError FORBIDDEN, or BUSINESS_UNIT_REQUIRED if several units are possible.
 */
export function ownerOfNew(
  actor: Actor,
  parentOwner: string | undefined,
  unitName: string | undefined,
): string {
  if (actor.kind !== 'member') {
    if (parentOwner === undefined) throw new Error('Only a member has units of its own: name the owner.');
    return parentOwner;
  }
  const { caller } = actor;
  if (parentOwner !== undefined) {
    requireRole(caller, parentOwner, 'editor');
    return parentOwner;
  }
  const owner = unitName === undefined ? impliedOwner(caller) : findUnit(caller, unitName);
  if (!owner || !roleCovers(owner.role, 'editor')) throw new AppError(FORBIDDEN);
  return owner.buId;
}

/** Returns the id of the unit that a body names by id, slug or name; other text is returned unchanged. */
export function unitIdOf(actor: Actor, unitName: string): string {
  return (actor.kind === 'member' ? findUnit(actor.caller, unitName)?.buId : undefined) ?? unitName;
}

/** @throws AppError FORBIDDEN if a member lacks `requiredRole` for records that the tenant owns. */
export function requireTenantWriter(actor: Actor, resource: Resource, requiredRole: Role): void {
  if (actor.kind !== 'member' || isOwned(resource)) return;
  if (resource.guard) resource.guard(actor.caller, requiredRole);
  else if (!hasRoleInAnyUnit(actor.caller, requiredRole)) throw new AppError(FORBIDDEN);
}

/** @throws AppError FORBIDDEN unless the caller holds `requiredRole` in the record's unit. */
export function requireRole(caller: Caller, ownerBuId: string, requiredRole: Role): void {
  const role = roleIn(caller, ownerBuId);
  if (role === null || !roleCovers(role, requiredRole)) throw new AppError(FORBIDDEN);
}

/**
 * @throws AppError FORBIDDEN unless the caller holds `requiredRole` in the record's unit, or owns the tenant if the
 *   record is shared.
 */
export function requireRecordRole(
  caller: Caller,
  record: { readonly owner_bu_id: string; readonly shared?: boolean },
  requiredRole: Role,
): void {
  if (record.shared !== true) requireRole(caller, record.owner_bu_id, requiredRole);
  else if (!caller.isTenantAdmin) throw new AppError(FORBIDDEN);
}

/**
 * True if the caller sees records of the tenant as a whole; a caller without units does not
 * (docs/specification/tenants.md#what-a-call-reaches).
 */
export function readsShared(caller: Caller): boolean {
  return caller.units.length > 0;
}

/** @throws AppError of the resource's `notFound` if the caller sees no records of the tenant. */
export function requireTenantReader(caller: Caller, resource: Resource): void {
  if (!isOwned(resource) && !readsShared(caller)) throw new AppError(resource.notFound);
}

/**
 * @throws AppError FORBIDDEN unless the caller is admin of Default, as email settings require
 *   (docs/specification/tenants.md#memberships-and-grants).
 */
export function requireDefaultAdmin(caller: Caller): void {
  if (!isDefaultAdmin(caller)) throw new AppError(FORBIDDEN);
}

/** True if the caller is admin of Default. */
export function isDefaultAdmin(caller: Caller): boolean {
  const role = caller.units.find((unit) => unit.isDefault)?.role;
  return role !== undefined && roleCovers(role, 'admin');
}

function impliedOwner(caller: Caller): AuthorizedUnit | undefined {
  if (caller.activeUnitId !== null) return findUnit(caller, caller.activeUnitId);
  const defaultUnit = caller.units.find((unit) => unit.isDefault);
  if (defaultUnit) return defaultUnit;
  if (caller.units.length > 1) throw new AppError(BUSINESS_UNIT_REQUIRED);
  return caller.units[0];
}

function findUnit(caller: Caller, unitName: string): AuthorizedUnit | undefined {
  return unitNamed(caller.units, unitName);
}
