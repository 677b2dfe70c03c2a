import type { Scope } from '../../../tenancy/scope.ts';

/** What a unit sees: whoever asks for an e-mail to be sent, its content is that which its unit reads. */
export function unitScope(tenantId: string, unitId: string): Scope {
  return { tenantId, read: [unitId], write: [unitId], remove: [unitId], shared: 'read' };
}
