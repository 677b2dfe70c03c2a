import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { offsetOf, pageOf, toListPage } from '../../../resources/paging.ts';
import { findDocumentModel } from '../document-models/index.ts';
import { requireProject } from '../projects/index.ts';
import { findSliceKey } from '../slice-models/index.ts';
import {
  countDocumentsOf,
  countDocumentsUsing,
  countUses,
  listDocumentsOf,
  listDocumentsUsing,
  listUses,
} from './queries.ts';

interface Paging {
  readonly page?: number;
  readonly limit?: number;
}

/**
 * Lists uses of a slice: first the definitions that allow it, then the documents of those models.
 * @throws AppError NOT_FOUND without the project or the slice.
 */
export async function sliceUsage({ db }: MemberContext, projectId: string, id: string, query: Paging) {
  await requireProject(db, projectId);
  const key = await findSliceKey(db, projectId, id);
  if (key === null) throw new AppError(NOT_FOUND);
  const slice = { id, ...key };
  const uses = await countUses(db, slice);
  const documents = await countDocumentsUsing(db, slice);
  const counts = {
    document_models: uses.get('document_model') ?? 0,
    slice_models: uses.get('slice_model') ?? 0,
    site_settings: uses.get('site_settings') ?? 0,
    documents,
  };
  const definitions = counts.document_models + counts.slice_models + counts.site_settings;
  const page = pageOf(query);
  const results = offsetOf(page) < definitions ? await listUses(db, slice, page) : [];
  const remaining = page.limit - results.length;
  const skipped = Math.max(0, offsetOf(page) - definitions);
  if (remaining > 0) results.push(...(await listDocumentsUsing(db, slice, skipped, remaining)));
  return { ...toListPage(results, definitions + documents, page), counts };
}

/** Lists the documents of a document model. @throws AppError NOT_FOUND without the project or the model. */
export async function documentModelUsage(
  { db }: MemberContext,
  projectId: string,
  id: string,
  query: Paging,
) {
  await requireProject(db, projectId);
  if ((await findDocumentModel(db, projectId, id)) === null) throw new AppError(NOT_FOUND);
  const documents = await countDocumentsOf(db, projectId, id);
  const page = pageOf(query);
  const results = await listDocumentsOf(db, projectId, id, offsetOf(page), page.limit);
  const counts = { document_models: 0, slice_models: 0, site_settings: 0, documents };
  return { ...toListPage(results, documents, page), counts };
}
