import { sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { EntityRow } from './resource.ts';

interface EntityRevisionTable {
  tenant_id: string;
  revision: number;
}

declare module '../../db/tables.ts' {
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
