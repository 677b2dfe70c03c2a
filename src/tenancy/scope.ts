import { type Caller, type Role, roleCovers } from './caller.ts';

/** Business units by id. */
export type Units = readonly string[] | 'all';

/** Accessible rows: one tenant, and the owning units (or all) for each kind of statement. */
export interface Scope {
  readonly tenantId: string;
  readonly read: Units;
  readonly write: Units;
  readonly remove: Units;
  /** Access to rows that the tenant shares among its units; only owners of the tenant write them. */
  readonly shared: 'none' | 'read' | 'write';
}

/** Returns the scope of a caller: its units, restricted for writes and deletes by its role in each. */
export function scopeOf(caller: Caller): Scope {
  return {
    tenantId: caller.tenantId,
    read: unitsWith(caller, 'viewer'),
    write: unitsWith(caller, 'editor'),
    remove: unitsWith(caller, 'admin'),
    shared: sharedFor(caller),
  };
}

/** Returns the scope of the platform's own work inside one tenant. */
export function wholeTenant(tenantId: string): Scope {
  return { tenantId, read: 'all', write: 'all', remove: 'all', shared: 'write' };
}

/** Returns the access to shared rows; none without a unit (docs/specification/tenants.md#what-a-call-reaches). */
function sharedFor(caller: Caller): Scope['shared'] {
  if (caller.isTenantAdmin) return 'write';
  return caller.units.length === 0 ? 'none' : 'read';
}

function unitsWith(caller: Caller, role: Role): Units {
  if (caller.reachesAllUnits) return 'all';
  return caller.units.filter((unit) => roleCovers(unit.role, role)).map((unit) => unit.buId);
}
