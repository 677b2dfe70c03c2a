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
 * Raises the revision of the tenant's entities, and of the webhooks and automations that listen to their records. Every
 * change does this first: it locks the revision's row, so that changes run one after the other.
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

/** Returns the revision of the tenant's entities; 0 before the first change. */
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

/** Reads all definitions of a tenant, sorted by name, with their revision. */
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
 * Removes the events of a deleted entity from webhooks, so that they do not receive those of a new entity with the
 * same name. Earlier events are still delivered. Written here because webhooks depend on entities, not vice versa.
 */
export async function removeEvents(tx: ScopedDb, entity: string): Promise<void> {
  const events = ['created', 'updated', 'deleted'].map((kind) => `${entity}.${kind}`);
  await tx.raw(
    (tenantId) => sql`
      update entity_webhooks set events = coalesce(
        (select json_agg(name order by position) from json_array_elements_text(events) with ordinality as subscribed(name, position)
          where name <> all (${events}::text[])), '[]'::json)
      where tenant_id = ${tenantId}::uuid and events::jsonb ?| ${events}::text[]`,
  );
}
