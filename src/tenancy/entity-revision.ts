import type { Platform } from '../platform.ts';
import { wholeTenant } from './scope.ts';

/** Reads the revision of a tenant's entity definitions, for callers whose look-up does not include it. */
export async function findEntityRevision(platform: Platform, tenantId: string): Promise<number> {
  const row = await platform
    .scoped(wholeTenant(tenantId))
    .query.selectFrom('entity_revisions')
    .select('revision')
    .executeTakeFirst();
  return row?.revision ?? 0;
}
