import Type, { type Static } from 'typebox';
import { FORBIDDEN, NOT_FOUND, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { orderedPage, type PageReply } from '../../../resources/paging.ts';
import { withMore } from '../../../resources/view.ts';
import { type DocumentModelReplace, documentModels } from './resource.ts';
import { ContentId, MODEL_CHECKS, ModelQuery } from './schema.ts';
import {
  deleteDocumentModel,
  getDocumentModel,
  getModelForUpdate,
  listDocumentModels,
  putDocumentModel,
} from './service.ts';

const area = { tag: 'Pages: models' } as const;
const path = '/api/pages/{project_id}/document-model';
const ProjectParams = Type.Object({ project_id: Type.String() });
const ModelParams = Type.Object({ project_id: Type.String(), id: Type.String() });

/** Body of the PUT, which names the model. */
export const Body = Type.Unsafe<DocumentModelReplace & { id: Static<typeof ContentId> }>(
  withMore(documentModels.replaceBody, { id: ContentId }, 'DocumentModelPut'),
);

/** Document models (docs/specification/pages.md#document-models). */
export const routes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'document_models.list',
    method: 'GET',
    path,
    summary: 'Lists document models without definitions, newest first',
    description: '`searchText` searches labels. `limit` defaults to 20.',
    access: 'member',
    errors: [NOT_FOUND],
    params: ProjectParams,
    query: ModelQuery,
    ...listFacts(documentModels),
    reply: Type.Unsafe<PageReply<Static<typeof documentModels.listReply>>>(
      orderedPage(documentModels.listReply),
    ),
    handler: (ctx, { params, query }) => listDocumentModels(ctx, params.project_id, query),
  }),
  defineRoute({
    ...area,
    id: 'document_models.get',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Reads a document model',
    access: 'member',
    errors: [NOT_FOUND],
    params: ModelParams,
    reply: documentModels.reply,
    handler: (ctx, { params }) => getDocumentModel(ctx, params.project_id, params.id),
  }),
  defineRoute({
    ...area,
    id: 'document_models.put',
    method: 'PUT',
    path,
    summary: 'Creates or updates the document model in the body',
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, VERSION_CONFLICT],
    params: ProjectParams,
    updates: {
      current: (ctx, { params, body }) => getModelForUpdate(ctx, params.project_id, body),
      named: ['id'],
    },
    body: Body,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: MODEL_CHECKS,
    reply: IdReply,
    write: (ctx, { params, body }) => putDocumentModel(ctx, params.project_id, body),
  }),
  defineRoute({
    ...area,
    id: 'document_models.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Deletes a document model; documents and history stay readable',
    access: 'admin',
    errors: [NOT_FOUND, FORBIDDEN],
    params: ModelParams,
    reply: IdReply,
    write: (ctx, { params }) => deleteDocumentModel(ctx, params.project_id, params.id),
  }),
];
