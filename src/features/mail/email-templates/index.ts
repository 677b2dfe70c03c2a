import { searchOf } from '../../../resources/record-search.ts';
import { findRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Feature } from '../../feature.ts';
import { INVALID_TEMPLATE, TEMPLATE_NOT_FOUND, TEMPLATE_RENDER_ERROR } from './errors.ts';
import { examples } from './examples.ts';
import { findActiveVersion } from './queries.ts';
import { type TemplateRow, templates, type VersionRow } from './resource.ts';
import { routes } from './routes.ts';

export { renderContent } from './content-rendering.ts';
export {
  INVALID_TEMPLATE,
  invalidTemplate,
  TEMPLATE_NOT_FOUND,
  TEMPLATE_RENDER_ERROR,
} from './errors.ts';
export { loadSnippets, loadSnippetsOf } from './included-snippets.ts';
export { renderOnce } from './preview.ts';
export { lockTemplates } from './queries.ts';
export type {
  RenderOptions,
  RenderResult,
  RenderSource,
  TemplateError,
  TemplatePart,
} from './rendering/contract.ts';
export { renderSource } from './rendering/render-source.ts';
export { Renderer, renderer } from './rendering/renderer.ts';
export type { TemplateRow, VersionRow } from './resource.ts';
export { findSyntaxFault } from './syntax-check.ts';
export { templateUses } from './uses.ts';

/** Email templates with versions, and their renderer. */
export const emailTemplates: Feature = {
  name: 'email-templates',
  examples,
  tags: { 'Email templates': 'Templates with versions, shared snippets, previews.' },
  routes,
  searches: [searchOf(templates)],
  restores: [{ resource: templates, createdBy: 'templates.create' }],
  errors: [INVALID_TEMPLATE, TEMPLATE_NOT_FOUND, TEMPLATE_RENDER_ERROR],
};

/**
 * Returns a template with its active version, which may be null. Null if the template does not exist in the scope.
 */
export async function findTemplateToSend(
  db: ScopedDb,
  templateId: string,
): Promise<{ template: TemplateRow; version: VersionRow | null } | null> {
  const template = await findRecord(db, templates, templateId);
  return template === null ? null : { template, version: await findActiveVersion(db, template.id) };
}
