import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { ENTITY_TYPES, type EntityType } from '../../../resources/entity-types.ts';
import type { Caller } from '../../../tenancy/caller.ts';

/** The history of one kind of record that a caller may read: none, all of the tenant's, or that of these units. */
export type Visibility = 'none' | 'all' | readonly string[];

/**
 * Kinds of record whose history only owners of the tenant see (docs/specification/tenants.md#memberships-and-grants).
 */
const OWNERS_ONLY: ReadonlySet<EntityType> = new Set(['tenant_membership', 'business_unit_grant']);

/**
 * Returns the history that `caller` may read: that of its authorized units and of the tenant as a whole, and nothing
 * without any unit (docs/specification/tenants.md#what-a-call-reaches). Owners also read the history of archived units.
 */
export function visibilityOf(caller: Caller, entityType: EntityType): Visibility {
  if (OWNERS_ONLY.has(entityType)) return caller.isTenantAdmin ? 'all' : 'none';
  if (entityType === 'business_unit' && caller.isTenantAdmin) return 'all';
  const units = caller.units.map((unit) => unit.buId);
  return units.length === 0 ? 'none' : units;
}

/** SQL condition that a history entry of this owning unit is visible. */
export function isVisibleTo(owner: RawBuilder<unknown>, visibility: Visibility): RawBuilder<SqlBool> {
  if (visibility === 'none') return sql<SqlBool>`false`;
  if (visibility === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`(${owner} is null or ${owner} = any(${visibility}))`;
}

/** The kinds of record whose whole history a caller may read, and those of which it is that of these units. */
export interface KindVisibility {
  readonly unrestricted: readonly EntityType[];
  readonly ofUnits: readonly EntityType[];
  readonly units: readonly string[];
}

/** Returns which history of all kinds `caller` may read. */
export function kindVisibilityOf(caller: Caller): KindVisibility {
  const kinds = Map.groupBy(ENTITY_TYPES, (kind) => {
    const visibility = visibilityOf(caller, kind);
    return typeof visibility === 'string' ? visibility : 'units';
  });
  return {
    unrestricted: kinds.get('all') ?? [],
    ofUnits: kinds.get('units') ?? [],
    units: caller.units.map((unit) => unit.buId),
  };
}

/** SQL condition that an entry of the history, under this alias, is visible. */
export function isEntryVisible(
  entry: string,
  { unrestricted: whole, ofUnits, units }: KindVisibility,
): RawBuilder<SqlBool> {
  const kind = sql.ref(`${entry}.entity_type`);
  const isOfUnits = isVisibleTo(sql.ref(`${entry}.owner_bu_id`), units);
  return sql<SqlBool>`(${kind} = any(${whole}::text[]) or ${kind} = any(${ofUnits}::text[]) and ${isOfUnits})`;
}
