/** An in-memory cache of tenant codes, which never change. Queue names at the broker contain them. */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

/** Maximum number of cached codes, a few hundred bytes each. */
const MAX_CODES = 10_000;

const cacheOf = oncePerPlatform(() => new LRUCache<string, string>({ max: MAX_CODES }));

/** Returns the code of a tenant. @throws if the tenant does not exist. */
export async function tenantCode(platform: Platform, tenantId: string): Promise<string> {
  const cached = cacheOf(platform).get(tenantId);
  if (cached !== undefined) return cached;
  const { code } = await getTenant(platform.scoped(wholeTenant(tenantId)));
  cacheOf(platform).set(tenantId, code);
  return code;
}
