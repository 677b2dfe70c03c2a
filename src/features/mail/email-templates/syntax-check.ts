import type { Issue } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import { toIssue } from './errors.ts';
import type { RenderSource, TemplatePart } from './rendering/contract.ts';
import { renderSource } from './rendering/render-source.ts';
import { renderer } from './rendering/renderer.ts';

/**
 * Returns the first syntax error of a template, or null; `fields` maps parts to request fields. Do not call it in a
 * transaction: a rendering thread parses the texts.
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
