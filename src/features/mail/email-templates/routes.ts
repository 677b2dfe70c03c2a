import Type from 'typebox';
import { FORBIDDEN, IN_USE, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { queryListRoute } from '../../../resources/list-routes.ts';
import { orderedPage, type PageReply } from '../../../resources/paging.ts';
import { createErrors, optionsOf } from '../../../resources/route-parts.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { INVALID_TEMPLATE, TEMPLATE_NOT_FOUND, TEMPLATE_RENDER_ERROR } from './errors.ts';
import { previewInline } from './preview.ts';
import { templates, type Version, versions } from './resource.ts';
import {
  CloneBody,
  CloneReply,
  PreviewBody,
  PreviewReply,
  VersionParams,
  VersionQuery,
  VersionReply,
  VersionsParams,
} from './schema.ts';
import { cloneTemplate, newTemplateColumns, replacedTemplateColumns } from './service.ts';
import { refuseUsedTemplate } from './uses.ts';
import {
  createVersion,
  deleteVersion,
  getVersion,
  getVersionForUpdate,
  listTemplateVersions,
  prepareVersion,
  replaceVersion,
} from './versions.ts';

const area = { tag: 'Email templates', envelope: 'wrapped', invalid: INVALID_TEMPLATE } as const;
const perMinute = { windowSeconds: 60, per: 'caller' } as const;
/**
 * Rate limits shared by all calls of a kind (docs/specification/templates.md#limits); previews have a limit of their
 * own.
 */
const limits = {
  read: { ...perMinute, limit: 100, sessionLimit: 600, group: 'templates.read' },
  write: { ...perMinute, limit: 50, sessionLimit: 300, group: 'templates.write' },
  delete: { ...perMinute, limit: 20, sessionLimit: 300, group: 'templates.delete' },
} as const;

const reading = { ...area, access: 'member', rateLimit: limits.read } as const;
const writing = { ...area, access: 'editor', rateLimit: limits.write } as const;

const family = { ...area, path: '/api/templates', id: 'templates', noun: 'template', limits } as const;

const templateRoutes: readonly Route[] = [
  createRoute(templates, family, { columns: (ctx, { body }) => newTemplateColumns(ctx, body) }),
  queryListRoute(templates, family, {
    name: { operation: 'like', schema: Type.String({ description: 'Substring of the name.' }) },
    type: { operation: 'eq', schema: Type.String({ description: 'Exact type.' }) },
  }),
  getRoute(templates, family),
  replaceRoute(templates, family, {
    summary: 'Updates a template; its versions stay',
    columns: (ctx, { body }, stored) => replacedTemplateColumns(ctx, body, stored),
  }),
  deleteRoute(templates, family, {
    summary: 'Deletes a template and all of its versions',
    errors: [IN_USE],
    after: async ({ platform, db }, { id }) => {
      await refuseUsedTemplate(platform, db, id);
    },
  }),
];

const versionRoutes: readonly Route[] = [
  defineRoute({
    ...writing,
    id: 'templates.create_version',
    method: 'POST',
    path: '/api/templates/{template_id}/versions',
    summary: 'Adds a version to a template',
    errors: [TEMPLATE_NOT_FOUND, FORBIDDEN],
    params: VersionsParams,
    body: versions.replaceBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: VersionReply,
    prepare: (ctx, { params, body }) => prepareVersion(ctx, params.template_id, body),
    write: (ctx, { params, body }, prepared) => createVersion(ctx, params.template_id, body, prepared),
  }),
  defineRoute({
    ...reading,
    id: 'templates.list_versions',
    method: 'GET',
    path: '/api/templates/{template_id}/versions',
    summary: 'Lists the versions of a template, newest first',
    description: '`limit` defaults to 20.',
    errors: [TEMPLATE_NOT_FOUND],
    params: VersionsParams,
    query: VersionQuery,
    ...listFacts(versions),
    reply: Type.Unsafe<PageReply<Version>>(orderedPage(versions.reply)),
    handler: (ctx, { params, query }) => listTemplateVersions(ctx, params.template_id, query),
  }),
  defineRoute({
    ...reading,
    id: 'templates.get_version',
    method: 'GET',
    path: '/api/templates/{template_id}/versions/{id}',
    summary: 'Reads a version',
    errors: [TEMPLATE_NOT_FOUND],
    params: VersionParams,
    reply: versions.reply,
    handler: (ctx, { params }) => getVersion(ctx, params.template_id, params.id),
  }),
  defineRoute({
    ...writing,
    id: 'templates.replace_version',
    method: 'PUT',
    path: '/api/templates/{template_id}/versions/{id}',
    summary: 'Updates a version; its number stays',
    errors: [TEMPLATE_NOT_FOUND, FORBIDDEN],
    params: VersionParams,
    updates: { current: (ctx, { params }) => getVersionForUpdate(ctx, params.template_id, params.id) },
    body: versions.replaceBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: VersionReply,
    prepare: (ctx, { params, body }) => prepareVersion(ctx, params.template_id, body, params.id),
    write: (ctx, { params, body }, prepared) =>
      replaceVersion(ctx, params.template_id, params.id, body, prepared),
  }),
  defineRoute({
    ...area,
    access: 'admin',
    rateLimit: limits.delete,
    id: 'templates.delete_version',
    method: 'DELETE',
    path: '/api/templates/{template_id}/versions/{id}',
    summary: 'Deletes a version, unless it is the only one',
    description: 'If it was active, the previous version becomes active.',
    errors: [TEMPLATE_NOT_FOUND, FORBIDDEN, VERSION_CONFLICT],
    params: VersionParams,
    reply: IdReply,
    write: (ctx, { params }) => deleteVersion(ctx, params.template_id, params.id),
  }),
];

/** Templates, their versions, previews and copies (docs/specification/templates.md#template). */
export const routes: readonly Route[] = [
  ...templateRoutes,
  ...versionRoutes,
  defineRoute({
    ...area,
    access: 'viewer',
    rateLimit: { ...perMinute, limit: 30, sessionLimit: 600 },
    id: 'templates.preview',
    readsOnly: true,
    method: 'POST',
    path: '/api/templates/preview/inline',
    summary: 'Renders a message without storing or sending it',
    errors: [TEMPLATE_RENDER_ERROR, FORBIDDEN],
    body: PreviewBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: PreviewReply,
    handler: (ctx, { body }) => previewInline(ctx, body),
  }),
  defineRoute({
    ...writing,
    id: 'templates.clone',
    method: 'POST',
    path: '/api/templates/clone',
    summary: 'Copies a template with its active version',
    errors: [TEMPLATE_NOT_FOUND, ...createErrors(templates)],
    body: CloneBody,
    reply: CloneReply,
    write: (ctx, { body }) => cloneTemplate(ctx, body, optionsOf(templates, body)),
  }),
];
