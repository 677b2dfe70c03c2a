import { sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** Whether an active journey of the tenant, of whichever unit, names something: `form:<code>`, `group:<id>`, `template:<id>`. */
export async function isUsed(db: ScopedDb, use: string): Promise<boolean> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ id: string }>`
    select id from journeys
    where tenant_id = ${tenantId}::uuid and active and uses::jsonb ? ${use} limit 1`,
  );
  return rows.length > 0;
}

/** Whether there is a journey, of whichever unit. */
export async function isJourney(db: ScopedDb, id: string): Promise<boolean> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ id: string }>`
    select id from journeys where tenant_id = ${tenantId}::uuid and id::text = ${id}`,
  );
  return rows.length > 0;
}
