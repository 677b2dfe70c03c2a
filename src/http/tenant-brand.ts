import type { Platform } from '../platform.ts';
import { closedTenants } from '../tenancy/closed-tenants.ts';
import { findTenant } from '../tenancy/find-tenant.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import { type Brand, brandOf } from './brand.ts';

/** Brand and locale of a tenant, for a page that shows no other data of the tenant. */
export interface TenantBrand {
  readonly brand: Brand;
  readonly locale: string | undefined;
}

/** Returns the brand and locale of a tenant; null if the tenant is unknown, suspended or deleted. */
export async function findTenantBrand(
  platform: Platform,
  tenantId: string | null,
): Promise<TenantBrand | null> {
  if (tenantId === null || closedTenants(platform).has(tenantId)) return null;
  const tenant = await findTenant(platform.scoped(wholeTenant(tenantId)));
  return tenant ? { brand: brandOf(tenant), locale: tenant.brand_settings.locale } : null;
}
