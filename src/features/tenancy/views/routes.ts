import Type from 'typebox';
import {
  FORBIDDEN,
  IMMUTABLE_FIELD,
  NOT_FOUND,
  VALIDATION_ERROR,
  VERSION_CONFLICT,
} from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { onceMembersOf } from '../../../resources/body.ts';
import { views } from './resource.ts';
import { ListedViews, ViewQuery } from './schema.ts';
import { createView, deleteView, getView, listSavedViews, replaceView } from './service.ts';

const tag = 'Saved views';
const path = '/api/client/v1/views';
const params = Type.Object({ id: Type.String() });

/** Saved views of lists (docs/specification/tenants.md#saved-views). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'views.list',
    method: 'GET',
    path,
    summary: "Lists the caller's views of a screen and the shared ones, by name",
    tag,
    access: 'member',
    query: ViewQuery,
    reply: ListedViews,
    handler: async (ctx, { query }) => ({ results: await listSavedViews(ctx, query.screen) }),
  }),
  defineRoute({
    id: 'views.create',
    method: 'POST',
    path,
    summary: 'Saves a view',
    tag,
    access: 'member',
    errors: [FORBIDDEN, VALIDATION_ERROR],
    body: views.createBody,
    reply: IdReply,
    write: (ctx, { body }) => createView(ctx, body),
  }),
  defineRoute({
    id: 'views.get',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Reads a view',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params,
    reply: views.reply,
    handler: async (ctx, { params }) => views.view(await getView(ctx, params.id)),
  }),
  defineRoute({
    id: 'views.replace',
    method: 'PUT',
    path: `${path}/{id}`,
    summary: 'Updates a view; only its author and owners can',
    tag,
    access: 'member',
    errors: [NOT_FOUND, FORBIDDEN, IMMUTABLE_FIELD, VERSION_CONFLICT, VALIDATION_ERROR],
    params,
    body: views.replaceBody,
    reply: IdReply,
    updates: {
      current: async (ctx, { params }) => views.view(await getView(ctx, params.id)),
      once: onceMembersOf(views.fields),
    },
    write: (ctx, { params, body }) => replaceView(ctx, params.id, body),
  }),
  defineRoute({
    id: 'views.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Deletes a view; only its author and owners can',
    tag,
    access: 'member',
    errors: [NOT_FOUND, FORBIDDEN],
    params,
    reply: IdReply,
    write: (ctx, { params }) => deleteView(ctx, params.id),
  }),
];
