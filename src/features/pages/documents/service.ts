import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import { clientTagNames, type TaggedResponse } from '../../../http/conditional-reads.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { JsonText } from '../../../http/json-text.ts';
import { columnsOf } from '../../../resources/body.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { deleteRecord, putRecord } from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { findDocumentModel, lockDocumentModel } from '../document-models/index.ts';
import { shareLockProject } from '../projects/index.ts';
import { NOT_REPEATABLE } from './errors.ts';
import {
  type DocumentCriteria,
  findDocument,
  findModelAndUid,
  hasCriteria,
  hasDocumentOf,
} from './queries.ts';
import { type DocumentReplace, documents } from './resource.ts';

/**
 * Returns the newest document that matches all criteria. @throws AppError INVALID_REQUEST without criteria, NOT_FOUND.
 */
export async function getDocument(
  ctx: MemberContext,
  projectId: string,
  criteria: DocumentCriteria,
): Promise<TaggedResponse<JsonText>> {
  if (!hasCriteria(criteria)) {
    const message = 'at least one of id, document_model_id and uid is required';
    throw invalidRequest([{ field: 'id', message }]);
  }
  const found = await findDocument(ctx.db, projectId, criteria, clientTagNames(ctx));
  if (found === null) throw new AppError(NOT_FOUND);
  return found;
}

/**
 * Replaces or creates a document, in the open transaction.
 * @throws AppError NOT_FOUND without the project, FORBIDDEN, VALIDATION_ERROR for an unknown model, NOT_REPEATABLE,
 * DUPLICATE_UID or VERSION_CONFLICT.
 */
export async function putDocument(
  ctx: MemberContext,
  projectId: string,
  id: string,
  body: DocumentReplace,
): Promise<{ id: string }> {
  const project = await shareLockProject(ctx.db, projectId);
  requireRole(ctx.caller, project.owner_bu_id, 'editor');
  const current = await findModelAndUid(ctx.db, projectId, id);
  await requireModel(ctx, projectId, current?.document_model_id ?? null, body.document_model_id);
  const author = ctx.caller.userId;
  const columns = { ...columnsOf(documents.fields, 'replace', body), updated_by_id: author };
  await putRecord(ctx, documents, [projectId, id], columns, {
    ...optionsOf(documents, body),
    ownerId: project.owner_bu_id,
    initial: { ...columnsOf(documents.fields, 'create', body), created_by_id: author },
  });
  return { id };
}

/** Deletes a document in the open transaction; its history stays. @throws AppError NOT_FOUND or FORBIDDEN. */
export async function deleteDocument(
  ctx: MemberContext,
  projectId: string,
  id: string,
): Promise<{ id: string }> {
  await shareLockProject(ctx.db, projectId);
  await deleteRecord(ctx, documents, [projectId, id]);
  return { id };
}

/** Checks the new model of a document. @throws AppError VALIDATION_ERROR or NOT_REPEATABLE. */
async function requireModel(
  { db }: MemberContext,
  projectId: string,
  currentModelId: string | null,
  modelId: string,
): Promise<void> {
  const model = await findDocumentModel(db, projectId, modelId);
  if (model === null) throw unknownModel();
  if (model.repeatable || currentModelId === modelId) return;
  // The lock makes a concurrent write of another document of this model wait, so that it sees this document.
  const locked = await lockDocumentModel(db, projectId, modelId);
  if (locked === null) throw unknownModel();
  if (!locked.repeatable && (await hasDocumentOf(db, projectId, modelId))) throw new AppError(NOT_REPEATABLE);
}

function unknownModel(): AppError {
  return ruleBroken('document_model_id', 'must reference a document model of the project');
}
