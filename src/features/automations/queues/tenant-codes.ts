/** Caches codes of tenants, which never change. Queue names at the broker contain them. */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

/** Cached codes, a few hundred bytes each. */
const KEPT = 10_000;

const kept = oncePerPlatform(() => new LRUCache<string, string>({ max: KEPT }));

/** Returns the code of a tenant. @throws if the tenant does not exist. */
export async function tenantCode(platform: Platform, tenantId: string): Promise<string> {
  const known = kept(platform).get(tenantId);
  if (known !== undefined) return known;
  const { code } = await getTenant(platform.scoped(wholeTenant(tenantId)));
  kept(platform).set(tenantId, code);
  return code;
}
