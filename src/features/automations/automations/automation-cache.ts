/**
 * An in-memory cache of the automations that record changes trigger, so that a change that triggers none costs nothing.
 */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { type ActiveAutomation, listRecordAutomations } from './queries.ts';

/** Automations of all tenants cached in a process; each tenant counts as one more. */
const MAX_CACHED = 100_000;

interface CacheEntry {
  readonly revision: number;
  readonly automations: Promise<readonly ActiveAutomation[]>;
}

const cacheOf = oncePerPlatform(() => new LRUCache<string, CacheEntry>({ maxSize: MAX_CACHED }));

/**
 * Returns a tenant's active automations with a record trigger, oldest first, at the given revision of its entities or a
 * later one. Each change of an automation raises that revision. The array is the same until something changes. Do not
 * call it in a transaction: the embedded database has one connection.
 */
export function activeAutomations(
  platform: Platform,
  tenantId: string,
  revision: number,
): Promise<readonly ActiveAutomation[]> {
  const cached = cacheOf(platform).get(tenantId);
  if (cached !== undefined && cached.revision >= revision) return cached.automations;
  const automations = listRecordAutomations(platform.scoped(wholeTenant(tenantId)));
  cacheOf(platform).set(tenantId, { revision, automations }, { size: 1 });
  automations.then(
    (found) => {
      // A newer load may have replaced the entry.
      if (cacheOf(platform).peek(tenantId)?.automations === automations)
        cacheOf(platform).set(tenantId, { revision, automations }, { size: 1 + found.length });
    },
    // After a failure the next caller loads again.
    () => {
      if (cacheOf(platform).peek(tenantId)?.automations === automations) cacheOf(platform).delete(tenantId);
    },
  );
  return automations;
}
