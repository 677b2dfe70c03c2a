import { type SqlBool, sql } from 'kysely';
import { isUuid } from '../../resources/keys.ts';
import { MAX_USAGE, type UsingRecord } from '../../resources/usage.ts';
import { type FoundUse, MAX_USES, type Uses, usesIn } from '../../resources/uses.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** Finds active journeys in all units that reference `form:<code>`, `group:<id>` or `template:<id>`. */
export async function findUses(db: ScopedDb, use: string): Promise<Uses> {
  const { rows } = await db.raw(
    (tenantId) => sql<FoundUse>`
    select id, name, owner_bu_id, count(*) over () as total from journeys
    where tenant_id = ${tenantId}::uuid and active and uses::jsonb ? ${use} order by id limit ${MAX_USES}`,
  );
  return usesIn('active journey', rows);
}

/** Finds the journeys of the scope that reference `group:<id>`, also those that are not active. */
export async function findUsingJourneys(db: ScopedDb, use: string): Promise<readonly UsingRecord[]> {
  const rows = await db.query
    .selectFrom('journeys')
    .select(['id', 'name', 'active'])
    .where(sql<SqlBool>`uses::jsonb ? ${use}`)
    .orderBy('id')
    .limit(MAX_USAGE)
    .execute();
  return rows.map(({ id, name, active }) => ({
    entity_type: 'user_journey',
    key: id,
    title: name,
    is_active: active,
  }));
}

/** True if the scope contains a journey with this id. Journeys of other units count as missing. */
export async function journeyExists(db: ScopedDb, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const found = await db.query.selectFrom('journeys').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}
