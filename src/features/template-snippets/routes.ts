import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import {
  CREATE_ERRORS,
  CreateOptions,
  REPLACE_ERRORS,
  ReplaceOptions,
  readWriteOptions,
} from '../../resources/plain-routes.ts';
import { INVALID_TEMPLATE } from '../email-templates/index.ts';
import { DUPLICATE_SNIPPET } from './errors.ts';
import { IdReply, Snippet, SnippetBody, SnippetList, SnippetParams, SnippetQuery } from './schema.ts';
import {
  checkContent,
  createSnippet,
  deleteSnippet,
  getSnippet,
  listSnippets,
  prepareReplace,
  replaceSnippet,
} from './service.ts';

const area = { tag: 'E-mail templates', envelope: 'wrapped' } as const;

/** Template snippets (document 2, Template snippets). */
export const routes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'template-snippets.create',
    method: 'POST',
    path: '/api/template_snippets',
    summary: 'Creates a snippet',
    access: 'editor',
    errors: [DUPLICATE_SNIPPET, INVALID_TEMPLATE, ...CREATE_ERRORS],
    body: Type.Intersect([SnippetBody, CreateOptions]),
    reply: IdReply,
    prepare: (ctx, { body }) => checkContent(ctx, body),
    write: (ctx, { body }) => createSnippet(ctx, body, readWriteOptions(body)),
  }),
  defineRoute({
    ...area,
    id: 'template-snippets.list',
    method: 'GET',
    path: '/api/template_snippets',
    summary: 'Lists snippets, newest first',
    description: '`search` looks in name and description. `limit` is 20 unless given.',
    access: 'member',
    query: SnippetQuery,
    reply: SnippetList,
    handler: (ctx, { query }) => listSnippets(ctx, query),
  }),
  defineRoute({
    ...area,
    id: 'template-snippets.get',
    method: 'GET',
    path: '/api/template_snippets/{id}',
    summary: 'Reads a snippet',
    access: 'member',
    errors: [NOT_FOUND],
    params: SnippetParams,
    reply: Snippet,
    handler: (ctx, { params }) => getSnippet(ctx, params.id),
  }),
  defineRoute({
    ...area,
    id: 'template-snippets.replace',
    method: 'PUT',
    path: '/api/template_snippets/{id}',
    summary: 'Replaces a snippet',
    access: 'editor',
    errors: [NOT_FOUND, DUPLICATE_SNIPPET, INVALID_TEMPLATE, ...REPLACE_ERRORS],
    params: SnippetParams,
    body: Type.Intersect([SnippetBody, ReplaceOptions]),
    reply: IdReply,
    prepare: (ctx, { params, body }) => prepareReplace(ctx, params.id, body),
    write: (ctx, { params, body }) => replaceSnippet(ctx, params.id, body, readWriteOptions(body)),
  }),
  defineRoute({
    ...area,
    id: 'template-snippets.delete',
    method: 'DELETE',
    path: '/api/template_snippets/{id}',
    summary: 'Deletes a snippet; templates that include it cannot be rendered any more',
    access: 'admin',
    errors: [NOT_FOUND, FORBIDDEN],
    params: SnippetParams,
    reply: IdReply,
    write: (ctx, { params }) => deleteSnippet(ctx, params.id),
  }),
];
