import { AppError } from '../../../errors/app-error.ts';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { columnsOf, setOnceOf } from '../../../resources/body.ts';
import type { Contents } from '../../../resources/contents.ts';
import { answerAllAsArray, answerSortedPage } from '../../../resources/large-lists.ts';
import { type CheckedQuery, readListQuery, requestsPage } from '../../../resources/list-queries.ts';
import { deleteRecord, findRecord, putRecord, replaceRecord } from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { findRow } from '../../../resources/statements.ts';
import { toActorRecord } from '../../../tenancy/actor.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { CopyDependencies } from './duplicate.ts';
import { PROJECT_BEING_DELETED } from './errors.ts';
import { isContentId, RESERVED_IDS } from './keys.ts';
import { deleteLeftovers, deleteOrRecordLeftovers } from './leftovers.ts';
import { requireProjectQuota } from './project-limit.ts';
import { hasLeftovers } from './queries.ts';
import { type ProjectCreate, type ProjectReplace, type ProjectRow, projects } from './resource.ts';

/** Longest wait of a PUT for the removal of an earlier project's contents, in ms. */
const MAX_WAIT_MS = 10_000;

/** Lists matching projects, newest first: a page if the query requests one, otherwise an array of all. */
export function listProjects(
  { db }: MemberContext,
  query: CheckedQuery & { readonly name?: string; readonly search?: string },
) {
  const { name, search } = query;
  const filters = name === undefined ? {} : { name: { operation: 'eq', value: name } };
  return requestsPage(query)
    ? answerSortedPage(db, projects, { ...readListQuery(query), search, filters })
    : answerAllAsArray(db, projects, { search, filters });
}

/**
 * Replaces a project's metadata, or creates the project.
 * @throws AppError NOT_FOUND for an invalid id or an inaccessible project; FORBIDDEN, OWNER_IMMUTABLE, IMMUTABLE_FIELD,
 * VERSION_CONFLICT; PROJECT_BEING_DELETED while contents of an earlier project with this id exist; VALIDATION_ERROR for
 * an unknown template, or too many projects.
 */
export async function putProject(
  ctx: MemberContext,
  id: string,
  body: ProjectCreate & ProjectReplace,
): Promise<{ id: string }> {
  if (!isContentId(id)) throw new AppError(projects.notFound);
  const options = optionsOf(projects, body);
  // Lock the project, so that it is not deleted before it is replaced.
  if ((await findRow<ProjectRow>(ctx.db, projects, [id], true)) === null) {
    const columns = columnsOf(projects.fields, 'create', body);
    await createProject(ctx, id, columns, options);
    return { id };
  }
  const setOnce = setOnceOf(projects.fields, body);
  await replaceRecord(ctx, projects, id, columnsOf(projects.fields, 'replace', body), {
    ...options,
    setOnce,
  });
  return { id };
}

/** Deletes contents of an earlier project with this id, for a limited time: a new project must start empty. */
export async function clearLeftovers(
  { db, platform }: MemberContext,
  contents: readonly Contents[],
  id: string,
): Promise<void> {
  if (await hasLeftovers(db, id))
    await deleteLeftovers(platform.scoped(wholeTenant(db.tenantId)), contents, id, MAX_WAIT_MS);
}

/**
 * Deletes a project with its contents; a job deletes the rest of large projects.
 * @throws AppError NOT_FOUND, FORBIDDEN
 */
export async function deleteProject(
  ctx: MemberContext,
  { contents, job }: CopyDependencies,
  id: string,
): Promise<{ id: string }> {
  const { caller, db, now, platform } = ctx;
  await deleteRecord(ctx, projects, id);
  const authorship = { actor: toActorRecord({ kind: 'member', caller }), now };
  await deleteOrRecordLeftovers(platform, db, contents, job, id, authorship);
  return { id };
}

/** Creates a project unless a concurrent call has done so. */
async function createProject(
  ctx: MemberContext,
  id: string,
  columns: Readonly<Record<string, unknown>>,
  options: { readonly businessUnit?: string },
): Promise<void> {
  const { db } = ctx;
  if (RESERVED_IDS.includes(id)) throw ruleBroken('id', 'is reserved by a path of the API');
  if (await hasLeftovers(db, id)) throw new AppError(PROJECT_BEING_DELETED);
  await requireProjectQuota(db);
  const { template_id: template } = columns;
  if (typeof template === 'string') await requireTemplate(ctx, template);
  await putRecord(ctx, projects, id, columns, options);
}

/** Requires an accessible template. @throws AppError VALIDATION_ERROR. */
async function requireTemplate({ db }: MemberContext, id: string): Promise<void> {
  const template = await findRecord(db, projects, id);
  if (!template?.is_template) throw ruleBroken('template_id', 'must reference an existing template');
}
