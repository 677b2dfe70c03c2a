/** The project that a path names, for what lives in it. */
import { sql } from 'kysely';
import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND } from '../../errors/platform-errors.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { ProjectRow } from './resource.ts';

/** What those who work in a project need to know of it. */
export interface ProjectFacts {
  readonly project_id: string;
  /** The unit that owns the project, and so all that lives in it. */
  readonly owner_bu_id: string;
  readonly is_template: boolean;
  /** The domains that redirects may be for. */
  readonly source_domains: readonly string[];
}

const COLUMNS = ['id', 'owner_bu_id', 'is_template', 'redirect_config'] as const;

/** The project, for reads. @throws AppError NOT_FOUND when there is none, or it is of a unit that the scope does not reach. */
export async function requireProject(db: ScopedDb, projectId: string): Promise<ProjectFacts> {
  const found = db.query.selectFrom('page_projects').select(COLUMNS).where('id', '=', projectId);
  return factsOf(await found.executeTakeFirst());
}

/**
 * The project, kept from being deleted until the transaction ends, for the write of a record that lives in it: such a write
 * and the deletion of the project never pass each other. @throws AppError NOT_FOUND as `requireProject`.
 */
export async function holdProject(tx: ScopedDb, projectId: string): Promise<ProjectFacts> {
  const found = tx.query.selectFrom('page_projects').select(COLUMNS).where('id', '=', projectId);
  return factsOf(await found.forKeyShare().executeTakeFirst());
}

/**
 * As `holdProject`, for a write that changes what templates hand on, a document or slice model: it raises the project's
 * `template_version` (docs/specification/pages.md#templates). @throws AppError NOT_FOUND as `requireProject`, FORBIDDEN for who
 * may only read it.
 */
export async function changeModels(tx: ScopedDb, projectId: string): Promise<ProjectFacts> {
  const raised = tx.query
    .updateTable('page_projects')
    .set({ model_version: sql<number>`model_version + 1` })
    .where('id', '=', projectId)
    .returning(COLUMNS);
  const row = await raised.executeTakeFirst();
  if (row !== undefined) return factsOf(row);
  await requireProject(tx, projectId);
  throw new AppError(FORBIDDEN);
}

function factsOf(row: Pick<ProjectRow, (typeof COLUMNS)[number]> | undefined): ProjectFacts {
  if (row === undefined) throw new AppError(NOT_FOUND);
  const { id, owner_bu_id, is_template, redirect_config } = row;
  return { project_id: id, owner_bu_id, is_template, source_domains: redirect_config?.source_domains ?? [] };
}
