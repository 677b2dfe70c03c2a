/** Which automations changes of records set off, so that a change which sets none off costs nothing. */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { type ActiveAutomation, listRecordAutomations } from './queries.ts';

/** Automations that are kept in a process, of all tenants; a tenant counts as one more. */
const KEPT_AUTOMATIONS = 100_000;

interface Kept {
  readonly revision: number;
  readonly automations: Promise<readonly ActiveAutomation[]>;
}

const kept = oncePerPlatform(() => new LRUCache<string, Kept>({ maxSize: KEPT_AUTOMATIONS }));

/**
 * The active automations of a tenant that changes of its records set off, the oldest first, as of a revision of its entities
 * at least: it is raised by each change of an automation. The same array as long as nothing has changed. Not in a transaction:
 * the embedded database has one connection.
 */
export function activeAutomations(
  platform: Platform,
  tenantId: string,
  revision: number,
): Promise<readonly ActiveAutomation[]> {
  const known = kept(platform).get(tenantId);
  if (known !== undefined && known.revision >= revision) return known.automations;
  const automations = listRecordAutomations(platform.scoped(wholeTenant(tenantId)));
  kept(platform).set(tenantId, { revision, automations }, { size: 1 });
  automations.then(
    (found) => {
      // Another may have been set meanwhile.
      if (kept(platform).peek(tenantId)?.automations === automations)
        kept(platform).set(tenantId, { revision, automations }, { size: 1 + found.length });
    },
    // The next asks again.
    () => {
      if (kept(platform).peek(tenantId)?.automations === automations) kept(platform).delete(tenantId);
    },
  );
  return automations;
}
