import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { columnsOf } from '../../resources/body.ts';
import { deleteRecord, getRecord, putRecord, replaceRecord } from '../../resources/records.ts';
import { optionsOf } from '../../resources/route-parts.ts';
import { readForUpdate } from '../../resources/updates.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { changeModels, contentIdOf, holdProject, requireProject } from '../projects/index.ts';
import { slicesWithin } from './allowed-slices.ts';
import { listSlices, type SliceListQuery } from './list.ts';
import { findSlicePlace, setAllowedSlices } from './queries.ts';
import { type SliceModelReplace, sliceModels } from './resource.ts';

/** One page of the slices that a project has, with facets. @throws AppError NOT_FOUND without the project. */
export async function listSliceModels({ db }: MemberContext, projectId: string, query: SliceListQuery) {
  await requireProject(db, projectId);
  return listSlices(db, projectId, query);
}

/** A slice of a project, or the tenant's core slice of that id. @throws AppError NOT_FOUND. */
export async function getSliceModel({ db }: MemberContext, projectId: string, id: string) {
  await requireProject(db, projectId);
  const home = await homeOf(db, projectId, id);
  return sliceModels.view(await getRecord(db, sliceModels, [home, id]));
}

/**
 * The slice that a body names, for who may write it; null when it names none. A PUT that says nothing of the origin is of the
 * project's own slice. @throws AppError NOT_FOUND or FORBIDDEN.
 */
export async function getSliceForUpdate(ctx: MemberContext, projectId: string, body: unknown) {
  await requireProject(ctx.db, projectId);
  const id = contentIdOf(body);
  if (id === null) return null;
  const isCore = typeof body === 'object' && body !== null && 'origin' in body && body.origin === 'core';
  const isOwn = ctx.method === 'PUT' && !isCore;
  const home = isOwn ? projectId : await homeOf(ctx.db, projectId, id);
  return readForUpdate(ctx, sliceModels, [home, id]);
}

/**
 * Replaces a slice or makes it, in the open transaction. What a project has itself is replaced whatever its origin; else a
 * core one is the tenant's, and a bespoke one is this project's copy, which hides it here
 * (docs/specification/pages.md#slice-models).
 * @throws AppError NOT_FOUND without the project, FORBIDDEN, VERSION_CONFLICT, or VALIDATION_ERROR for a second core slice of an id.
 */
export async function putSliceModel(
  ctx: MemberContext,
  projectId: string,
  body: SliceModelReplace & { readonly id: string },
): Promise<{ id: string }> {
  const { id, origin, variations } = body;
  const isCore = origin === 'core';
  if (isCore && !ctx.caller.isTenantAdmin) throw new AppError(FORBIDDEN);
  const home = isCore ? await homeOf(ctx.db, projectId, id) : projectId;
  const ownerId = await enter(ctx.db, projectId, home);
  const columns = columnsOf(sliceModels.fields, 'replace', body);
  const initial = columnsOf(sliceModels.fields, 'create', body);
  const options = optionsOf(sliceModels, body);
  if (home === projectId)
    await putRecord(ctx, sliceModels, [home, id], columns, { ...options, initial, ownerId });
  else await replaceRecord(ctx, sliceModels, [home, id], columns, options);
  await setAllowedSlices(ctx.db, home, id, slicesWithin(variations));
  return { id };
}

/**
 * Deletes a slice of a project, or the tenant's core slice of that id; in the open transaction.
 * @throws AppError NOT_FOUND, or FORBIDDEN: core slices are for owners of the tenant.
 */
export async function deleteSliceModel(
  ctx: MemberContext,
  projectId: string,
  id: string,
): Promise<{ id: string }> {
  const home = await homeOf(ctx.db, projectId, id);
  await enter(ctx.db, projectId, home);
  await deleteRecord(ctx, sliceModels, [home, id]);
  return { id };
}

/** The project under which a slice is kept that this project knows, or would be. */
async function homeOf(db: ScopedDb, projectId: string, id: string): Promise<string> {
  return (await findSlicePlace(db, projectId, id))?.projectId ?? projectId;
}

/**
 * Holds the project, whose models change when the slice is kept there, and gives its unit.
 * @throws AppError NOT_FOUND or FORBIDDEN.
 */
async function enter(db: ScopedDb, projectId: string, home: string): Promise<string> {
  const project = home === projectId ? await changeModels(db, projectId) : await holdProject(db, projectId);
  return project.owner_bu_id;
}
