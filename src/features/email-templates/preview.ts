import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { readsShared } from '../../resources/ownership.ts';
import { INVALID_TEMPLATE, TEMPLATE_RENDER_ERROR, toIssue } from './errors.ts';
import { loadSnippets } from './included-snippets.ts';
import { findSnippetNames, renderSource } from './rendering/render-source.ts';
import { renderer } from './rendering/renderer.ts';
import type { PreviewBody, PreviewReply } from './schema.ts';

const FIELDS = { subject: 'content.subject', html: 'content.html', text: 'content.text' } as const;

/**
 * Renders a message as a transmission without further options would send it; nothing is stored.
 * @throws AppError INVALID_TEMPLATE for what does not parse, TEMPLATE_RENDER_ERROR for what cannot be rendered, and
 * FORBIDDEN for a caller without any unit.
 */
export async function previewInline(
  ctx: MemberContext,
  { content, substitution_data = {} }: PreviewBody,
): Promise<PreviewReply> {
  // Whoever may see nothing has nothing to preview.
  if (!readsShared(ctx.caller)) throw new AppError(FORBIDDEN);
  const { subject = '', html, text = null } = content;
  const snippets = await loadSnippets(ctx.db, findSnippetNames(subject, html, text));
  const source = renderSource({ subject, html, text, generateText: false, snippets });
  // As transmissions do unless they ask for it.
  const options = { tenantId: ctx.caller.tenantId, inlineCss: false };
  const result = await renderer(ctx.platform).render(source, substitution_data, options);
  if (!result.ok) {
    const definition = result.error.kind === 'syntax' ? INVALID_TEMPLATE : TEMPLATE_RENDER_ERROR;
    throw new AppError(definition, {
      message: result.error.message,
      issues: [toIssue(result.error, FIELDS)],
    });
  }
  return {
    subject: result.subject,
    html: result.html,
    ...(result.text === null ? {} : { text: result.text }),
  };
}
