import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { readForUpdate } from '../../../resources/updates.ts';
import { requireProject } from '../projects/index.ts';
import { DUPLICATE_UID, NOT_REPEATABLE } from './errors.ts';
import { documents } from './resource.ts';
import { DocumentParams, DocumentQuery, FoundDocument, ProjectParams, SearchBody } from './schema.ts';
import { searchDocuments } from './search.ts';
import { deleteDocument, getDocument, putDocument } from './service.ts';

const area = { tag: 'Pages: documents' } as const;
const path = '/api/pages/{project_id}/document';
const family = { ...area, path, id: 'documents', noun: 'document' } as const;

/** The documents of a project (docs/specification/pages.md#documents). */
export const routes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'documents.get',
    method: 'GET',
    path,
    summary: 'Reads the newest document that matches the query',
    description: 'Requires `id`, `document_model_id` or `uid`.',
    access: 'member',
    errors: [NOT_FOUND],
    params: ProjectParams,
    query: DocumentQuery,
    conditional: true,
    reply: documents.reply,
    handler: (ctx, { params, query }) => getDocument(ctx, params.project_id, query),
  }),
  listRoute(documents, family, {
    errors: [NOT_FOUND],
    requireParent: (ctx, [projectId = '']) => requireProject(ctx.db, projectId),
  }),
  defineRoute({
    ...area,
    id: 'documents.put',
    method: 'PUT',
    path: `${path}/{id}`,
    summary: 'Creates or updates a document',
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, DUPLICATE_UID, NOT_REPEATABLE, VERSION_CONFLICT],
    params: DocumentParams,
    updates: {
      current: async (ctx, { params }) => {
        await requireProject(ctx.db, params.project_id);
        return readForUpdate(ctx, documents, [params.project_id, params.id]);
      },
    },
    body: documents.replaceBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: IdReply,
    write: (ctx, { params, body }) => putDocument(ctx, params.project_id, params.id, body),
  }),
  defineRoute({
    ...area,
    id: 'documents.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Deletes a document; its history stays readable',
    access: 'admin',
    errors: [NOT_FOUND, FORBIDDEN],
    params: DocumentParams,
    reply: IdReply,
    write: (ctx, { params }) => deleteDocument(ctx, params.project_id, params.id),
  }),
  defineRoute({
    ...area,
    id: 'documents.search',
    readsOnly: true,
    method: 'POST',
    path: '/api/projects/{project_id}/pages/document/search',
    summary: 'Searches link targets for autocompletion, newest first',
    description: 'Excludes models whose `metadata.linkable` is false. `search` covers name and uid.',
    access: 'member',
    errors: [NOT_FOUND],
    params: ProjectParams,
    body: SearchBody,
    reply: Type.Array(FoundDocument, { title: 'FoundDocumentList' }),
    handler: (ctx, { params, body }) => searchDocuments(ctx, params.project_id, body),
  }),
];
