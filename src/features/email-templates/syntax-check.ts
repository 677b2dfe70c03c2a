import type { Issue } from '../../errors/app-error.ts';
import type { MemberContext } from '../../http/context.ts';
import { toIssue } from './errors.ts';
import type { RenderSource, TemplatePart } from './rendering/contract.ts';
import { renderSource } from './rendering/render-source.ts';
import { renderer } from './rendering/renderer.ts';

/**
 * Why these texts cannot be read as a template, or null; `fields` tells which field of the request each came in.
 * A rendering thread reads them, so it must not happen inside a transaction.
 */
export async function findSyntaxFault(
  { platform, db }: Pick<MemberContext, 'platform' | 'db'>,
  texts: Pick<RenderSource, TemplatePart>,
  fields: Readonly<Record<TemplatePart, string>>,
): Promise<Issue | null> {
  const source = renderSource({ ...texts, generateText: false, snippets: {} });
  const error = await renderer(platform).check(source, { tenantId: db.tenantId });
  return error === null ? null : toIssue(error, fields);
}
