import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { Usage, UsageQuery } from './schema.ts';
import { documentModelUsage, sliceUsage } from './service.ts';

const common = {
  method: 'GET',
  tag: 'Pages: models',
  access: 'member',
  errors: [NOT_FOUND],
  params: Type.Object({ project_id: Type.String(), id: Type.String() }),
  query: UsageQuery,
  reply: Usage,
} as const;

/** Routes for the usage of models (docs/specification/pages.md#usage). */
export const routes: readonly Route[] = [
  defineRoute({
    ...common,
    id: 'slice_models.usage',
    path: '/api/pages/{project_id}/slice-model/{id}/usage',
    summary: 'Lists uses of a slice model: document models, slices, site settings, documents',
    description: 'For a core slice: in all projects visible to you. `limit` defaults to 20.',
    handler: (ctx, { params, query }) => sliceUsage(ctx, params.project_id, params.id, query),
  }),
  defineRoute({
    ...common,
    id: 'document_models.usage',
    path: '/api/pages/{project_id}/document-model/{id}/usage',
    summary: 'Lists the documents of a document model',
    description: '`limit` defaults to 20.',
    handler: (ctx, { params, query }) => documentModelUsage(ctx, params.project_id, params.id, query),
  }),
];
