import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityRow } from './resource.ts';

interface EntityRevisionTable {
  tenant_id: string;
  revision: number;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    entity_revisions: EntityRevisionTable;
  }
}

/**
 * Counts a change of the tenant's definitions. Whoever changes them does this first, so that one change follows the other.
 */
export async function raiseRevision(tx: ScopedDb): Promise<void> {
  await tx.query
    .insertInto('entity_revisions')
    .values({ tenant_id: tx.tenantId, revision: 1 })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id']).doUpdateSet({ revision: sql<number>`entity_revisions.revision + 1` }),
    )
    .execute();
}

/** How often the tenant's definitions have been changed, and who hears of changes of its records. */
export async function readRevision(db: ScopedDb): Promise<number> {
  const row = await db.query.selectFrom('entity_revisions').select('revision').executeTakeFirst();
  return Number(row?.revision ?? 0);
}

/** Returns true if the tenant has an entity of this name. */
export async function entityExists(db: ScopedDb, name: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('entities')
    .select('name')
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

/** All definitions of a tenant by name, with the revision that they are of. */
export async function readDefinitions(
  db: ScopedDb,
): Promise<{ readonly revision: number; readonly definitions: readonly EntityRow[] }> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ revision: number; definitions: EntityRow[] | null }>`
      select coalesce((select r.revision from entity_revisions r where r.tenant_id = ${tenantId}::uuid), 0) as revision,
        (select json_agg(e order by e.name) from entities e where e.tenant_id = ${tenantId}::uuid) as definitions`,
  );
  return { revision: Number(rows[0]?.revision ?? 0), definitions: rows[0]?.definitions ?? [] };
}

/**
 * Webhooks hear nothing any more of an entity that goes, and so nothing of one that will be called the same. Here, since webhooks
 * know of entities, and entities of nobody. What has happened before is still delivered.
 */
export async function forgetEvents(tx: ScopedDb, entity: string): Promise<void> {
  const events = ['created', 'updated', 'deleted'].map((kind) => `${entity}.${kind}`);
  await tx.raw(
    (tenantId) => sql`
      update entity_webhooks set events = coalesce(
        (select json_agg(name order by place) from json_array_elements_text(events) with ordinality as heard(name, place)
          where name <> all (${events}::text[])), '[]'::json)
      where tenant_id = ${tenantId}::uuid and events::jsonb ?| ${events}::text[]`,
  );
}
