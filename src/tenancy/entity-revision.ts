import type { Platform } from '../platform.ts';
import { wholeTenant } from './scope.ts';

/** Reads how often a tenant's entities have been changed, for callers whose look-up does not tell. */
export async function findEntityRevision(platform: Platform, tenantId: string): Promise<number> {
  const row = await platform
    .scoped(wholeTenant(tenantId))
    .query.selectFrom('entity_revisions')
    .select('revision')
    .executeTakeFirst();
  return row?.revision ?? 0;
}
