/** Changes of a tenant by the operator: name, brand and status. */
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import type { OfTenant } from '../../../http/route.ts';
import type { Platform } from '../../../platform.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { findTenantByCode } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { updateTenant } from './queries.ts';
import { brandFrom, checkTenantUpdate, type TenantUpdate } from './schema.ts';

/** Finds a tenant by its code. @throws AppError NOT_FOUND. */
export async function requireTenant({ database }: Platform, code: string): Promise<OfTenant> {
  const tenant = await findTenantByCode(database, code);
  if (tenant === undefined) throw new AppError(NOT_FOUND, { message: 'No tenant has this code.' });
  return { tenantId: tenant.tenant_id };
}

/**
 * Changes a tenant; absent members stay unchanged. `db` is a transaction of the tenant. While a tenant is suspended,
 * calls with its credentials are rejected, its public URLs return 404, and its work waits. This process applies the
 * status at once, other processes within a second.
 */
export async function changeTenant(
  { db, platform }: Pick<RequestContext, 'platform'> & TenantContext,
  { name, brand_settings, status }: TenantUpdate,
): Promise<{ tenant_id: string }> {
  const { tenantId } = db;
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(brand_settings === undefined ? {} : { brand_settings: brandFrom(brand_settings) }),
    ...(status === undefined ? {} : { status }),
  };
  if (Object.keys(changes).length > 0 && (await updateTenant(db, changes)) === undefined)
    throw new AppError(NOT_FOUND);
  if (status !== undefined)
    db.afterCommit(() => {
      closedTenants(platform).record(tenantId, status === 'suspended');
      platform.observe({ event: 'tenant.changed', tenantId, status });
    });
  return { tenant_id: tenantId };
}

/** Changes a tenant for the command line, like the operator's call. @throws AppError INVALID_REQUEST, NOT_FOUND. */
export async function changeTenantByOperator(
  platform: Platform,
  code: string,
  body: TenantUpdate,
): Promise<void> {
  checkTenantUpdate(body, platform.clock());
  const { tenantId } = await requireTenant(platform, code);
  await platform.scoped(wholeTenant(tenantId)).transaction((db) => changeTenant({ db, platform }, body));
}
