import { sql } from 'kysely';
import type { EveryTenantDb } from '../../db/every-tenant.ts';
import type { PageRequest } from '../../resources/paging.ts';
import { offsetOf } from '../../resources/paging.ts';
import type { BrandSettings } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** A tenant to be made; its id is that of the scope. */
export interface NewTenant {
  readonly code: string;
  readonly name: string;
  readonly brandSettings: BrandSettings;
}

/** Inserts the tenant of `tx`; false when its code is taken. */
export async function insertTenant(tx: ScopedDb, now: Date, tenant: NewTenant): Promise<boolean> {
  const row = await tx.query
    .insertInto('tenants')
    .values({
      tenant_id: tx.tenantId,
      code: tenant.code,
      name: tenant.name,
      brand_settings: tenant.brandSettings,
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('tenant_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** One page of tenants, newest first. */
export async function listTenantRows(all: EveryTenantDb, request: PageRequest) {
  return all.query
    .selectFrom('tenants')
    .select(['tenant_id', 'code', 'name', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('tenant_id', 'desc')
    .limit(request.limit)
    .offset(offsetOf(request))
    .execute();
}

/** How many tenants there are. */
export async function countTenants(all: EveryTenantDb): Promise<number> {
  const { total } = await all.query
    .selectFrom('tenants')
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
