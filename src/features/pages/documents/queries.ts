/** Queries for documents beyond those of every resource. */
import { type SqlBool, sql } from 'kysely';
import { TaggedResponse } from '../../../http/conditional-reads.ts';
import { JsonText } from '../../../http/json-text.ts';
import { runCompiled } from '../../../resources/compiled-statements.ts';
import { newestFirst } from '../../../resources/list-order.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { documents } from './resource.ts';

const CRITERIA = ['id', 'document_model_id', 'uid'] as const;

/** Criteria of a document query; all must match. */
export type DocumentCriteria = { readonly [Name in (typeof CRITERIA)[number]]?: string };

/** Returns true if there is at least one criterion. */
export function hasCriteria(criteria: DocumentCriteria): boolean {
  return CRITERIA.some((name) => criteria[name] !== undefined);
}

/**
 * Finds the newest document that matches all criteria, as JSON from the database, without `data` if the client has it.
 * Null if there is none or the project is inaccessible. One statement, because visitors of websites wait for it.
 */
export async function findDocument(
  db: ScopedDb,
  projectId: string,
  criteria: DocumentCriteria,
  clientTags: readonly string[],
): Promise<TaggedResponse<JsonText> | null> {
  const conditions = CRITERIA.flatMap((column) => {
    const value = criteria[column];
    return value === undefined ? [] : [[column, value] as const];
  });
  const shape = `find by ${conditions.map(([column]) => column).join()}`;
  const values = [clientTags, projectId, ...conditions.map(([, value]) => value)];
  const [found] = await runCompiled<{ name: string; shown: string | null }>(
    db,
    documents,
    shape,
    values,
    (query, [tags, project, ...slots]) => {
      // Every write of a document changes its version or this time.
      const name = sql<string>`${sql.ref('target.id')} || '.' || ${sql.ref('target.version')} || '.'
        || (date_part('epoch', ${sql.ref('target.updated_at')}) * 1000)::bigint`;
      const inProject = query
        .selectFrom('documents as target')
        .innerJoin('page_projects as project', 'project.id', 'target.project_id')
        .where('project.id', '=', project);
      return conditions
        .reduce((rows, [column], index) => rows.where(`target.${column}`, '=', slots[index]), inProject)
        .select([
          name.as('name'),
          sql<string | null>`case when ${name} = any(${tags}::text[]) then null
            else ${documents.sqlView('target')}::text end`.as('shown'),
        ])
        .orderBy(newestFirst(documents, 'target.'))
        .limit(1);
    },
  );
  return found
    ? new TaggedResponse(found.name, found.shown === null ? null : new JsonText(found.shown))
    : null;
}

/** The model and uid of a document. */
export interface ModelAndUid {
  readonly document_model_id: string;
  readonly uid: string;
}

/** Finds the model and uid of a document; null if it does not exist. */
export async function findModelAndUid(
  db: ScopedDb,
  projectId: string,
  id: string,
): Promise<ModelAndUid | null> {
  const row = await db.query
    .selectFrom('documents')
    .select(['document_model_id', 'uid'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns true if the project has a document of a model. */
export async function hasDocumentOf(db: ScopedDb, projectId: string, modelId: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('documents')
    .select(sql<SqlBool>`true`.as('exists'))
    .where('project_id', '=', projectId)
    .where('document_model_id', '=', modelId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
