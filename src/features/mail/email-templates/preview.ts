import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN } from '../../../errors/platform-errors.ts';
import type { MemberContext, RequestContext, TenantContext } from '../../../http/context.ts';
import { requestDeadline } from '../../../http/request-deadline.ts';
import { readsShared } from '../../../resources/ownership.ts';
import { INVALID_TEMPLATE, TEMPLATE_RENDER_ERROR, toIssue } from './errors.ts';
import { loadSnippets } from './included-snippets.ts';
import type { RenderSource } from './rendering/contract.ts';
import { renderSource } from './rendering/render-source.ts';
import { renderer } from './rendering/renderer.ts';
import type { PreviewBody, PreviewReply } from './schema.ts';

const FIELDS = { subject: 'content.subject', html: 'content.html', text: 'content.text' } as const;

/**
 * Renders inline content as a transmission with default options would. Stores nothing.
 * @throws AppError INVALID_TEMPLATE for a syntax error, TEMPLATE_RENDER_ERROR if rendering fails, FORBIDDEN for a
 * caller without any unit.
 */
export async function previewInline(
  ctx: MemberContext,
  { content, substitution_data = {} }: PreviewBody,
): Promise<PreviewReply> {
  // A caller without any unit sees no snippets and cannot preview.
  if (!readsShared(ctx.caller)) throw new AppError(FORBIDDEN);
  const { subject = '', html, text = null } = content;
  const snippets = await loadSnippets(ctx.db, [subject, html, text]);
  const contents = { subject, html, text, generateText: false, snippets };
  const deadline = requestDeadline(ctx);
  const { text: rendered, ...shown } = await renderOnce(ctx, contents, substitution_data, deadline);
  return { ...shown, ...(rendered === null ? {} : { text: rendered }) };
}

/**
 * Renders one message as a transmission with default options would. Do not call it in a transaction: it waits for a
 * rendering thread.
 * @throws AppError INVALID_TEMPLATE for a syntax error, TEMPLATE_RENDER_ERROR if rendering fails, TIMEOUT after the
 * deadline.
 */
export async function renderOnce(
  { platform, db }: Pick<RequestContext, 'platform'> & TenantContext,
  contents: Omit<RenderSource, 'key'>,
  data: object,
  deadline?: AbortSignal,
): Promise<Record<'subject' | 'html', string> & Record<'text', string | null>> {
  const options = { tenantId: db.tenantId, inlineCss: false, ...(deadline && { deadline }) };
  const result = await renderer(platform).render(renderSource(contents), data, options);
  if (result.ok) return { subject: result.subject, html: result.html, text: result.text };
  const definition = result.error.kind === 'syntax' ? INVALID_TEMPLATE : TEMPLATE_RENDER_ERROR;
  throw new AppError(definition, {
    message: result.error.message,
    issues: [toIssue(result.error, FIELDS)],
  });
}
