/** What documents need to know of their models, without the definitions. */
import type { ExpressionBuilder } from 'kysely';
import type { AnyTables } from '../../resources/compiled.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** What documents need to know of their model. */
export interface ModelFacts {
  readonly id: string;
  /** Whether several documents may be of it. */
  readonly repeatable: boolean;
}

/** A model of a project, or null when there is none by that id. */
export async function findDocumentModel(
  db: ScopedDb,
  projectId: string,
  id: string,
): Promise<ModelFacts | null> {
  return (await ofProject(db, projectId, id).executeTakeFirst()) ?? null;
}

/** The same, kept from changes, and from others who lock it, until the transaction ends. */
export async function lockDocumentModel(
  tx: ScopedDb,
  projectId: string,
  id: string,
): Promise<ModelFacts | null> {
  return (await ofProject(tx, projectId, id).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** The ids of a project's models to whose documents no link may lead. */
export function unlinkableModels(eb: ExpressionBuilder<AnyTables, never>, projectId: unknown) {
  return eb
    .selectFrom('document_models')
    .select('document_models.id')
    .where('document_models.project_id', '=', projectId)
    .where('document_models.linkable', '=', false);
}

function ofProject({ query }: ScopedDb, projectId: string, id: string) {
  return query
    .selectFrom('document_models')
    .select(['id', 'repeatable'])
    .where('project_id', '=', projectId)
    .where('id', '=', id);
}
