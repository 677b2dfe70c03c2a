/** Models copied from a project's template. Their versions show which ones were changed in the project since. */
import { sql } from 'kysely';
import { runCompiled } from '../../../resources/compiled-statements.ts';
import type { Contents } from '../../../resources/contents.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import type { Resource } from '../../../resources/resource.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

interface SyncedModelTable {
  tenant_id: string;
  project_id: string;
  entity_type: string;
  id: string;
  /** Version of the template's model that was copied. */
  template_version: number;
  /** Version of the project's model after that. */
  own_version: number;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    page_synced_models: SyncedModelTable;
  }
}

/** A model copied from the template. */
export type SyncedModel = Pick<SyncedModelTable, 'id' | 'template_version' | 'own_version'>;

/** Returns the versions of a project's models of a kind by id: all, or those that `isPart` selects. */
export async function versionsOf(
  db: ScopedDb,
  { resource, isPart }: Pick<Contents, 'resource' | 'isPart'>,
  projectId: string,
): Promise<Map<string, number>> {
  const rows = await runCompiled<{ id: string; version: number }>(
    db,
    resource,
    isPart ? 'versions of selected models' : 'versions of models',
    [projectId],
    (query, [project]) => {
      const all = query
        .selectFrom(resource.table)
        .select(['id', 'version'])
        .where('project_id', '=', project);
      return isPart ? all.where(isPart(resource.table)) : all;
    },
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Returns the models of a kind that were copied from the project's template, by id. */
export async function findSynced(
  db: ScopedDb,
  resource: Resource,
  projectId: string,
): Promise<Map<string, SyncedModel>> {
  const rows = await db.query
    .selectFrom('page_synced_models')
    .select(['id', 'template_version', 'own_version'])
    .where('project_id', '=', projectId)
    .where('entity_type', '=', entityTypeOf(resource))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Records models that were copied from the project's template. */
export async function recordSynced(
  tx: ScopedDb,
  resource: Resource,
  projectId: string,
  models: readonly SyncedModel[],
): Promise<void> {
  if (models.length === 0) return;
  const common = { tenant_id: tx.tenantId, project_id: projectId, entity_type: entityTypeOf(resource) };
  await tx.query
    .insertInto('page_synced_models')
    .values(models.map((model) => ({ ...common, ...model })))
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'project_id', 'entity_type', 'id']).doUpdateSet({
        template_version: sql<number>`excluded.template_version`,
        own_version: sql<number>`excluded.own_version`,
      }),
    )
    .execute();
}

/** Deletes the records of a deleted project. */
export async function deleteSyncedModels(tx: ScopedDb, projectId: string): Promise<void> {
  await tx.query.deleteFrom('page_synced_models').where('project_id', '=', projectId).execute();
}

/** Returns the entity type of models. @throws Error for models without history, whose changes are unknown. */
function entityTypeOf({ entityType, table }: Resource): EntityType {
  if (entityType === undefined) throw new Error(`The models of ${table} have no history.`);
  return entityType;
}
