import type { Static } from 'typebox';
import type { MemberContext } from '../../../http/context.ts';
import { columnsOf } from '../../../resources/body.ts';
import { answerSortedPage } from '../../../resources/large-lists.ts';
import { readListQuery } from '../../../resources/list-queries.ts';
import { deleteRecord, getRecord, putRecord } from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { readForUpdate } from '../../../resources/updates.ts';
import { contentIdOf, lockForModelChange, requireProject } from '../projects/index.ts';
import { allowedSlicesIn } from './allowed-slices.ts';
import { setAllowedSlices } from './queries.ts';
import { type DocumentModelReplace, documentModels } from './resource.ts';
import type { ModelQuery } from './schema.ts';

/** Lists one page of a project's models without their definitions. @throws AppError NOT_FOUND without the project. */
export async function listDocumentModels(
  { db }: MemberContext,
  projectId: string,
  query: Static<typeof ModelQuery>,
) {
  await requireProject(db, projectId);
  return answerSortedPage(db, documentModels, {
    ...readListQuery(query),
    search: query.searchText,
    parent: [projectId],
  });
}

/** Returns a model with its definition. @throws AppError NOT_FOUND. */
export async function getDocumentModel({ db }: MemberContext, projectId: string, id: string) {
  await requireProject(db, projectId);
  return documentModels.view(await getRecord(db, documentModels, [projectId, id]));
}

/** Returns the current model for an update; null if it does not exist. @throws AppError NOT_FOUND or FORBIDDEN. */
export async function getModelForUpdate(ctx: MemberContext, projectId: string, body: unknown) {
  await requireProject(ctx.db, projectId);
  const id = contentIdOf(body);
  return id === null ? null : readForUpdate(ctx, documentModels, [projectId, id]);
}

/**
 * Replaces or creates a model, in the open transaction.
 * @throws AppError NOT_FOUND without the project, FORBIDDEN or VERSION_CONFLICT.
 */
export async function putDocumentModel(
  ctx: MemberContext,
  projectId: string,
  body: DocumentModelReplace & { readonly id: string },
): Promise<{ id: string }> {
  const { owner_bu_id: ownerId } = await lockForModelChange(ctx.db, projectId);
  const { id, json } = body;
  const columns = columnsOf(documentModels.fields, 'replace', body);
  await putRecord(ctx, documentModels, [projectId, id], columns, {
    ...optionsOf(documentModels, body),
    initial: columnsOf(documentModels.fields, 'create', body),
    ownerId,
  });
  await setAllowedSlices(ctx.db, projectId, id, allowedSlicesIn(json));
  return { id };
}

/** Deletes a model in the open transaction; its documents stay. @throws AppError NOT_FOUND or FORBIDDEN. */
export async function deleteDocumentModel(
  ctx: MemberContext,
  projectId: string,
  id: string,
): Promise<{ id: string }> {
  await lockForModelChange(ctx.db, projectId);
  await deleteRecord(ctx, documentModels, [projectId, id]);
  return { id };
}
