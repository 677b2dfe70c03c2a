import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { Route } from '../../../http/route.ts';
import { queryListRoute } from '../../../resources/list-routes.ts';
import { getRecord } from '../../../resources/records.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { findSyntaxFault, INVALID_TEMPLATE, invalidTemplate } from '../email-templates/index.ts';
import { DUPLICATE_SNIPPET } from './errors.ts';
import { snippets } from './resource.ts';

const family = {
  path: '/api/template_snippets',
  id: 'template_snippets',
  tag: 'Email templates',
  noun: 'snippet',
  envelope: 'wrapped',
  maxBodyBytes: CONTENT_BODY_BYTES,
} as const;
const errors = [DUPLICATE_SNIPPET, INVALID_TEMPLATE];

/** Template snippets (docs/specification/templates.md#template-snippets). */
export const routes: readonly Route[] = [
  createRoute(snippets, family, { errors, prepare: (ctx, body) => checkContent(ctx, body.content) }),
  queryListRoute(snippets, family),
  getRoute(snippets, family),
  replaceRoute(snippets, family, {
    errors,
    prepare: async (ctx, { content }, key) => {
      await getRecord(ctx.db, snippets, key);
      await checkContent(ctx, content);
    },
  }),
  deleteRoute(snippets, family, {
    summary: 'Deletes a snippet; templates that include it fail to render',
  }),
];

/** Checks the content in a rendering thread: do not call it in a transaction. @throws AppError INVALID_TEMPLATE. */
async function checkContent(ctx: MemberContext, content: string): Promise<void> {
  const fields = { subject: 'content', html: 'content', text: 'content' };
  const fault = await findSyntaxFault(ctx, { subject: '', html: content, text: null }, fields);
  if (fault !== null) throw invalidTemplate([fault]);
}
