/** Reads the properties of models that documents depend on, without the large definitions. */
import type { ExpressionBuilder } from 'kysely';
import type { AnyTables } from '../../../resources/compiled-statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Properties of a model that its documents depend on. */
export interface ModelInfo {
  readonly id: string;
  /** True if the model may have several documents. */
  readonly repeatable: boolean;
}

/** Finds a model of a project; null: it does not exist. */
export async function findDocumentModel(
  db: ScopedDb,
  projectId: string,
  id: string,
): Promise<ModelInfo | null> {
  return (await selectModel(db, projectId, id).executeTakeFirst()) ?? null;
}

/** Finds a model and locks it until the transaction ends. */
export async function lockDocumentModel(
  tx: ScopedDb,
  projectId: string,
  id: string,
): Promise<ModelInfo | null> {
  return (await selectModel(tx, projectId, id).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** Selects the ids of models whose documents must not be link targets. */
export function unlinkableModels(eb: ExpressionBuilder<AnyTables, never>, projectId: unknown) {
  return eb
    .selectFrom('document_models')
    .select('document_models.id')
    .where('document_models.project_id', '=', projectId)
    .where('document_models.linkable', '=', false);
}

function selectModel({ query }: ScopedDb, projectId: string, id: string) {
  return query
    .selectFrom('document_models')
    .select(['id', 'repeatable'])
    .where('project_id', '=', projectId)
    .where('id', '=', id);
}
