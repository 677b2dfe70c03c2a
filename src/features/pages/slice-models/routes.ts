import Type, { type Static } from 'typebox';
import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { withMore } from '../../../resources/view.ts';
import { ContentId } from '../document-models/index.ts';
import { type SliceModelReplace, sliceModels } from './resource.ts';
import { SLICE_CHECKS, SliceQuery, slicePage } from './schema.ts';
import {
  deleteSliceModel,
  getSliceForUpdate,
  getSliceModel,
  listSliceModels,
  putSliceModel,
} from './service.ts';

const area = { tag: 'Pages: models' } as const;
const path = '/api/pages/{project_id}/slice-model';
const ProjectParams = Type.Object({ project_id: Type.String() });
const SliceParams = Type.Object({ project_id: Type.String(), id: Type.String() });

/** Body of the PUT, which names the model. */
export const Body = Type.Unsafe<SliceModelReplace & { id: Static<typeof ContentId> }>(
  withMore(sliceModels.replaceBody, { id: ContentId }, 'SliceModelPut'),
);

/** Slice models (docs/specification/pages.md#slice-models). */
export const routes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'slice_models.list',
    method: 'GET',
    path,
    summary: 'Lists slices of the project and core slices, with counts per value',
    description:
      '`searchText` searches names. `limit` defaults to 20. Repeat a filter, with or without `[]`, to match any of its values.',
    access: 'member',
    errors: [NOT_FOUND],
    params: ProjectParams,
    query: SliceQuery,
    ...listFacts(sliceModels),
    reply: slicePage(sliceModels.listReply),
    handler: (ctx, { params, query }) => listSliceModels(ctx, params.project_id, query),
  }),
  defineRoute({
    ...area,
    id: 'slice_models.get',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Reads a slice model',
    access: 'member',
    errors: [NOT_FOUND],
    params: SliceParams,
    reply: sliceModels.reply,
    handler: (ctx, { params }) => getSliceModel(ctx, params.project_id, params.id),
  }),
  defineRoute({
    ...area,
    id: 'slice_models.put',
    method: 'PUT',
    path,
    summary: 'Creates or updates the slice model in the body',
    description: 'Only owners write core slices.',
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, VERSION_CONFLICT, VALIDATION_ERROR],
    params: ProjectParams,
    updates: {
      current: (ctx, { params, body }) => getSliceForUpdate(ctx, params.project_id, body),
      named: ['id'],
    },
    body: Body,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: SLICE_CHECKS,
    reply: IdReply,
    write: (ctx, { params, body }) => putSliceModel(ctx, params.project_id, body),
  }),
  defineRoute({
    ...area,
    id: 'slice_models.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Deletes a slice model; its history stays readable',
    access: 'admin',
    errors: [NOT_FOUND, FORBIDDEN],
    params: SliceParams,
    reply: IdReply,
    write: (ctx, { params }) => deleteSliceModel(ctx, params.project_id, params.id),
  }),
];
