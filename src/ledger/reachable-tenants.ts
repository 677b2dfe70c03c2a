import { sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';

/** Which of these tenants are on nodes that answer: one look, that waits for no node of which it is known that it is away. */
export async function listReachable(
  all: EveryTenantDb,
  tenantIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await all.gather(
    (isAskedFor) => sql<{ tenant_id: string }>`
      select u.tenant_id from business_units u
      where u.is_default and u.tenant_id = any(${tenantIds}::uuid[]) and ${isAskedFor('u.tenant_id')}`,
  );
  return new Set(rows.map(({ tenant_id }) => tenant_id));
}
