import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { columnsOf } from '../../../resources/body.ts';
import { deleteRecord, getRecord, putRecord, replaceRecord } from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { readForUpdate } from '../../../resources/updates.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { contentIdOf, lockForModelChange, requireProject, shareLockProject } from '../projects/index.ts';
import { allowedSlicesInVariations } from './allowed-slices.ts';
import { listSlices, type SliceListQuery } from './list.ts';
import { findSliceKey, setAllowedSlices } from './queries.ts';
import { type SliceModelReplace, sliceModels } from './resource.ts';

/** Lists one page of a project's slices, with facets. @throws AppError NOT_FOUND without the project. */
export async function listSliceModels({ db }: MemberContext, projectId: string, query: SliceListQuery) {
  await requireProject(db, projectId);
  return listSlices(db, projectId, query);
}

/** Returns a slice of a project, or the tenant's core slice with that id. @throws AppError NOT_FOUND. */
export async function getSliceModel({ db }: MemberContext, projectId: string, id: string) {
  await requireProject(db, projectId);
  const storingProject = await storingProjectOf(db, projectId, id);
  return sliceModels.view(await getRecord(db, sliceModels, [storingProject, id]));
}

/**
 * Returns the current slice for an update; null if it does not exist. Without an origin, the body refers to the bespoke
 * slice of the project.
 * @throws AppError NOT_FOUND or FORBIDDEN.
 */
export async function getSliceForUpdate(ctx: MemberContext, projectId: string, body: unknown) {
  await requireProject(ctx.db, projectId);
  const id = contentIdOf(body);
  if (id === null) return null;
  const isCore = typeof body === 'object' && body !== null && 'origin' in body && body.origin === 'core';
  const isOwn = ctx.method === 'PUT' && !isCore;
  const storingProject = isOwn ? projectId : await storingProjectOf(ctx.db, projectId, id);
  return readForUpdate(ctx, sliceModels, [storingProject, id]);
}

/**
 * Replaces or creates a slice, in the open transaction. If the project has a slice with this id, it is replaced.
 * Otherwise a core slice is written for the tenant, and a bespoke slice for the project, where it overrides a core
 * slice with this id (docs/specification/pages.md#slice-models).
 * @throws AppError NOT_FOUND without the project, FORBIDDEN, VERSION_CONFLICT, or VALIDATION_ERROR for a duplicate core
 * id.
 */
export async function putSliceModel(
  ctx: MemberContext,
  projectId: string,
  body: SliceModelReplace & { readonly id: string },
): Promise<{ id: string }> {
  const { id, origin, variations } = body;
  const isCore = origin === 'core';
  if (isCore && !ctx.caller.isTenantAdmin) throw new AppError(FORBIDDEN);
  const storingProject = isCore ? await storingProjectOf(ctx.db, projectId, id) : projectId;
  const ownerId = await lockForChange(ctx.db, projectId, storingProject);
  const columns = columnsOf(sliceModels.fields, 'replace', body);
  const initial = columnsOf(sliceModels.fields, 'create', body);
  const options = optionsOf(sliceModels, body);
  if (storingProject === projectId)
    await putRecord(ctx, sliceModels, [storingProject, id], columns, { ...options, initial, ownerId });
  else await replaceRecord(ctx, sliceModels, [storingProject, id], columns, options);
  await setAllowedSlices(ctx.db, storingProject, id, allowedSlicesInVariations(variations));
  return { id };
}

/**
 * Deletes a slice of a project, or the tenant's core slice with that id, in the open transaction.
 * @throws AppError NOT_FOUND, or FORBIDDEN: only owners of the tenant delete core slices.
 */
export async function deleteSliceModel(
  ctx: MemberContext,
  projectId: string,
  id: string,
): Promise<{ id: string }> {
  const storingProject = await storingProjectOf(ctx.db, projectId, id);
  await lockForChange(ctx.db, projectId, storingProject);
  await deleteRecord(ctx, sliceModels, [storingProject, id]);
  return { id };
}

/** Returns the id of the project in which the slice is stored; for a new slice, `projectId`. */
async function storingProjectOf(db: ScopedDb, projectId: string, id: string): Promise<string> {
  return (await findSliceKey(db, projectId, id))?.projectId ?? projectId;
}

/**
 * Locks the project if the slice is stored in it, because its models change; returns its unit.
 * @throws AppError NOT_FOUND or FORBIDDEN.
 */
async function lockForChange(db: ScopedDb, projectId: string, storingProject: string): Promise<string> {
  const project =
    storingProject === projectId
      ? await lockForModelChange(db, projectId)
      : await shareLockProject(db, projectId);
  return project.owner_bu_id;
}
