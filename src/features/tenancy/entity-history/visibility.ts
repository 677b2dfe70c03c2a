import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { ENTITY_TYPES, type EntityType } from '../../../resources/entity-types.ts';
import type { Caller } from '../../../tenancy/caller.ts';

/** The history of one kind of record that a caller may read: none, all of the tenant's, or that of the listed units. */
export type Visibility = 'none' | 'all' | readonly string[];

/**
 * Kinds of record whose history only owners of the tenant see (docs/specification/tenants.md#memberships-and-grants).
 */
const OWNERS_ONLY: ReadonlySet<EntityType> = new Set(['tenant_membership', 'business_unit_grant']);

/**
 * Returns the history that `caller` may read: entries of its units and entries without a unit, but nothing if it has no
 * unit (docs/specification/tenants.md#what-a-call-reaches). Owners also read the history of archived units.
 */
export function visibilityOf(caller: Caller, entityType: EntityType): Visibility {
  if (OWNERS_ONLY.has(entityType)) return caller.isTenantAdmin ? 'all' : 'none';
  if (entityType === 'business_unit' && caller.isTenantAdmin) return 'all';
  const units = caller.units.map((unit) => unit.buId);
  return units.length === 0 ? 'none' : units;
}

/** SQL condition: true if history entries of the unit `owner` are visible. */
export function isVisibleTo(owner: RawBuilder<unknown>, visibility: Visibility): RawBuilder<SqlBool> {
  if (visibility === 'none') return sql<SqlBool>`false`;
  if (visibility === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`(${owner} is null or ${owner} = any(${visibility}))`;
}

/** The history of all kinds of record that a caller may read. */
export interface KindVisibility {
  /** Kinds with their whole history. */
  readonly unrestricted: readonly EntityType[];
  /** Kinds with only the history of `units`. */
  readonly ofUnits: readonly EntityType[];
  readonly units: readonly string[];
}

/** Returns the history of all kinds that `caller` may read. */
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

/** SQL condition: true if the history entry with the alias `entry` is visible. */
export function isEntryVisible(
  entry: string,
  { unrestricted, ofUnits, units }: KindVisibility,
): RawBuilder<SqlBool> {
  const kind = sql.ref(`${entry}.entity_type`);
  const isOfUnits = isVisibleTo(sql.ref(`${entry}.owner_bu_id`), units);
  return sql<SqlBool>`(${kind} = any(${unrestricted}::text[]) or ${kind} = any(${ofUnits}::text[]) and ${isOfUnits})`;
}

/** SQL of the kind and key of a record. */
interface RecordSql {
  readonly kind: RawBuilder<unknown>;
  readonly key: RawBuilder<unknown>;
}

/** SQL condition: true if the record exists and its newest entry is visible. */
export function isRecordVisible(
  tenantId: string,
  { kind, key }: RecordSql,
  visibility: KindVisibility,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select from record_history newest
    where newest.tenant_id = ${tenantId}::uuid and newest.entity_type = ${kind} and newest.sort_key = ${key}
      and not newest.deleted and ${isEntryVisible('newest', visibility)}
      and not exists (
        select from record_history later
        where later.tenant_id = ${tenantId}::uuid and later.entity_type = newest.entity_type
          and later.sort_key = newest.sort_key and (later.version > newest.version
            or later.version = newest.version and later.deleted)))`;
}
