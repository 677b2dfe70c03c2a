import type { Scope } from '../../../../tenancy/scope.ts';

/** Scope of one unit. An email's content depends on what its unit can read, not on the caller who sends it. */
export function unitScope(tenantId: string, unitId: string): Scope {
  return { tenantId, read: [unitId], write: [unitId], remove: [unitId], shared: 'read' };
}
