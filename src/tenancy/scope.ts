import { type Caller, type Role, roleCovers } from './caller.ts';

/** Business units by id. */
export type Units = readonly string[] | 'all';

/** Which rows statements reach: one tenant, and for each kind of statement the owning units or all of them. */
export interface Scope {
  readonly tenantId: string;
  readonly read: Units;
  readonly write: Units;
  readonly remove: Units;
  /** What statements may do with rows that the tenant shares among its units: owners of the tenant write them. */
  readonly shared: 'none' | 'read' | 'write';
}

/** The scope of a caller: union of its authorized units, narrowed for writes and deletes by its role. */
export function scopeOf(caller: Caller): Scope {
  return {
    tenantId: caller.tenantId,
    read: unitsWith(caller, 'viewer'),
    write: unitsWith(caller, 'editor'),
    remove: unitsWith(caller, 'admin'),
    shared: sharedFor(caller),
  };
}

/** The scope of the platform's own work inside one tenant. */
export function wholeTenant(tenantId: string): Scope {
  return { tenantId, read: 'all', write: 'all', remove: 'all', shared: 'write' };
}

/** Who has no unit sees nothing (docs/specification/tenants.md#what-a-call-reaches). */
function sharedFor(caller: Caller): Scope['shared'] {
  if (caller.isTenantAdmin) return 'write';
  return caller.units.length === 0 ? 'none' : 'read';
}

function unitsWith(caller: Caller, role: Role): Units {
  if (caller.reachesAllUnits) return 'all';
  return caller.units.filter((unit) => roleCovers(unit.role, role)).map((unit) => unit.buId);
}
