import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EntityType } from '../../../resources/entity-types.ts';
import type { Caller } from '../../../tenancy/caller.ts';

/** Which history of one kind of record a caller may read: none, all of the tenant's, or that of these units. */
export type Visibility = 'none' | 'all' | readonly string[];

/**
 * Who belongs to the tenant and may act where is the owners' business
 * (docs/specification/tenants.md#memberships-and-grants).
 */
const OWNERS_ONLY: ReadonlySet<EntityType> = new Set(['tenant_membership', 'business_unit_grant']);

/**
 * The history that `caller` may read follows the records: those of its authorized units and those of the tenant as
 * a whole; nothing without any unit (docs/specification/tenants.md#what-a-call-reaches). Owners, who archive
 * units, also read the history of units that are archived.
 */
export function visibilityOf(caller: Caller, entityType: EntityType): Visibility {
  if (OWNERS_ONLY.has(entityType)) return caller.isTenantAdmin ? 'all' : 'none';
  if (entityType === 'business_unit' && caller.isTenantAdmin) return 'all';
  const units = caller.units.map((unit) => unit.buId);
  return units.length === 0 ? 'none' : units;
}

/** The condition that a history entry of this owning unit is visible. */
export function isVisibleTo(owner: RawBuilder<unknown>, visibility: Visibility): RawBuilder<SqlBool> {
  if (visibility === 'none') return sql<SqlBool>`false`;
  if (visibility === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`(${owner} is null or ${owner} = any(${visibility}))`;
}
