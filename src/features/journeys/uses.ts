import { sql } from 'kysely';
import { isUuid } from '../../resources/keys.ts';
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

/** True if the scope reaches a journey with this id. One of another unit is answered like none. */
export async function isJourney(db: ScopedDb, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const found = await db.query.selectFrom('journeys').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}
