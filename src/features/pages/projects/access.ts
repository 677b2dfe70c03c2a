/** Access to the project in a path, for records that belong to it. */
import { sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { ProjectRow } from './resource.ts';

/** Properties of a project that its records depend on. */
export interface ProjectInfo {
  readonly project_id: string;
  /** Unit that owns the project and its contents. */
  readonly owner_bu_id: string;
  readonly is_template: boolean;
  /** Source domains of redirects. */
  readonly source_domains: readonly string[];
}

const COLUMNS = ['id', 'owner_bu_id', 'is_template', 'redirect_config'] as const;

/** Returns the project for reads. @throws AppError NOT_FOUND if it is missing or outside the scope. */
export async function requireProject(db: ScopedDb, projectId: string): Promise<ProjectInfo> {
  const found = db.query.selectFrom('page_projects').select(COLUMNS).where('id', '=', projectId);
  return toProjectInfo(await found.executeTakeFirst());
}

/**
 * Share-locks the project until the transaction ends. Call it before a write of its records, so that the project cannot
 * be deleted concurrently.
 * @throws AppError NOT_FOUND as `requireProject`.
 */
export async function shareLockProject(tx: ScopedDb, projectId: string): Promise<ProjectInfo> {
  const found = tx.query.selectFrom('page_projects').select(COLUMNS).where('id', '=', projectId);
  return toProjectInfo(await found.forKeyShare().executeTakeFirst());
}

/**
 * Locks the project for a write of a document or slice model, and increments its `template_version`, which shows that a
 * template has changed (docs/specification/pages.md#templates).
 * @throws AppError NOT_FOUND as `requireProject`, FORBIDDEN for a caller with read access only.
 */
export async function lockForModelChange(tx: ScopedDb, projectId: string): Promise<ProjectInfo> {
  const update = tx.query
    .updateTable('page_projects')
    .set({ model_version: sql<number>`model_version + 1` })
    .where('id', '=', projectId)
    .returning(COLUMNS);
  const row = await update.executeTakeFirst();
  if (row !== undefined) return toProjectInfo(row);
  await requireProject(tx, projectId);
  throw new AppError(FORBIDDEN);
}

function toProjectInfo(row: Pick<ProjectRow, (typeof COLUMNS)[number]> | undefined): ProjectInfo {
  if (row === undefined) throw new AppError(NOT_FOUND);
  const { id, owner_bu_id, is_template, redirect_config } = row;
  return { project_id: id, owner_bu_id, is_template, source_domains: redirect_config?.source_domains ?? [] };
}
