/** Versions of a template, whose contents are sent. They belong to their template's unit and have no history. */
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { JsonText } from '../../../http/json-text.ts';
import type { LargeResponse } from '../../../http/large-response.ts';
import { parseTarget } from '../../../outbound/target-policy.ts';
import { columnsOf } from '../../../resources/body.ts';
import { answerSortedPage } from '../../../resources/large-lists.ts';
import { readListQuery } from '../../../resources/list-queries.ts';
import { requireRecordRole } from '../../../resources/ownership.ts';
import type { PageReply } from '../../../resources/paging.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  lockRecord,
  replaceRecord,
} from '../../../resources/records.ts';
import { listAssets } from '../../assets/api.ts';
import { invalidTemplate } from './errors.ts';
import {
  activateVersionBefore,
  allocateVersionNumber,
  countVersions,
  deactivateVersions,
} from './queries.ts';
import { renderSource } from './rendering/render-source.ts';
import { renderer } from './rendering/renderer.ts';
import { templates, type Version, type VersionBody, type VersionRow, versions } from './resource.ts';
import type { VersionQuery } from './schema.ts';
import { findSyntaxFault } from './syntax-check.ts';

/** Values that are computed before a version is written. */
export interface PreparedVersion {
  /** Plain text derived from the HTML; null if not requested or not possible. */
  readonly plainContent: string | null;
}

/** Derives the plain text of an HTML template without rendering its tags; null if that fails. */
async function generateText({ platform, db }: MemberContext, html: string): Promise<string | null> {
  const contents = { subject: '', html: '{{{html}}}', text: null, generateText: true, snippets: {} };
  const options = { tenantId: db.tenantId, inlineCss: false };
  const result = await renderer(platform).render(renderSource(contents), { html }, options);
  return result.ok ? result.text : null;
}

/** Returns the columns of generated text, so that reads show it. */
function generated({ plainContent }: PreparedVersion): { plain_content?: string } {
  return plainContent === null ? {} : { plain_content: plainContent };
}

/**
 * Checks a version before it is written; `id` is the version to replace. Do not call it in a transaction: a rendering
 * thread parses the texts.
 * @throws AppError TEMPLATE_NOT_FOUND, FORBIDDEN, or INVALID_TEMPLATE for a syntax error.
 */
export async function prepareVersion(
  ctx: MemberContext,
  templateId: string,
  body: VersionBody,
  id?: string,
): Promise<PreparedVersion> {
  const template = await getRecord(ctx.db, templates, templateId);
  requireRecordRole(ctx.caller, template, 'editor');
  if (id !== undefined) await getRecord(ctx.db, versions, [template.id, id]);
  await checkContents(ctx, body);
  return { plainContent: body.generate_plain_content ? await generateText(ctx, body.html_content) : null };
}

/** Adds a version. @throws AppError TEMPLATE_NOT_FOUND or FORBIDDEN. */
export async function createVersion(
  ctx: MemberContext,
  templateId: string,
  body: VersionBody,
  prepared: PreparedVersion,
): Promise<{ id: string; version: number }> {
  const template = await lockRecord(ctx, templates, templateId, 'editor');
  if (body.active) await deactivateVersions(ctx.db, template.id);
  const version = await allocateVersionNumber(ctx.db, template);
  const columns = { ...columnsOf(versions.fields, 'create', body), ...generated(prepared), version };
  const { id } = await createRecord(ctx, versions, columns, { key: template.id });
  return { id, version };
}

/** Lists a page of a template's versions, newest first. @throws AppError TEMPLATE_NOT_FOUND. */
export async function listTemplateVersions(
  { db }: MemberContext,
  templateId: string,
  query: VersionQuery,
): Promise<PageReply<Version> | LargeResponse | JsonText> {
  const template = await getRecord(db, templates, templateId);
  return answerSortedPage(db, versions, { ...readListQuery(query), parent: [template.id] });
}

/** Reads a version. @throws AppError TEMPLATE_NOT_FOUND. */
export async function getVersion({ db }: MemberContext, templateId: string, id: string): Promise<Version> {
  const template = await getRecord(db, templates, templateId);
  return versions.view(await getRecord(db, versions, [template.id, id]));
}

/** Reads a version for a caller who may write it. @throws AppError TEMPLATE_NOT_FOUND or FORBIDDEN. */
export async function getVersionForUpdate(
  ctx: MemberContext,
  templateId: string,
  id: string,
): Promise<Version> {
  const template = await getRecord(ctx.db, templates, templateId);
  requireRecordRole(ctx.caller, template, 'editor');
  return getVersion(ctx, templateId, id);
}

/** Replaces a version, which keeps its number. @throws AppError TEMPLATE_NOT_FOUND or FORBIDDEN. */
export async function replaceVersion(
  ctx: MemberContext,
  templateId: string,
  id: string,
  body: VersionBody,
  prepared: PreparedVersion,
): Promise<{ id: string; version: number }> {
  const template = await lockRecord(ctx, templates, templateId, 'editor');
  await getRecord(ctx.db, versions, [template.id, id]);
  if (body.active) await deactivateVersions(ctx.db, template.id);
  const stored = columnsOf(versions.fields, 'replace', body);
  const columns = { ...stored, ...generated(prepared), active: body.active };
  const { version } = await replaceRecord(ctx, versions, [template.id, id], columns);
  return { id, version };
}

/**
 * Deletes a version. If it was active, the version before it becomes active.
 * @throws AppError VERSION_CONFLICT for the only version of a template, TEMPLATE_NOT_FOUND or FORBIDDEN.
 */
export async function deleteVersion(
  ctx: MemberContext,
  templateId: string,
  id: string,
): Promise<{ id: string }> {
  const template = await lockRecord(ctx, templates, templateId, 'admin');
  const deleted = await getRecord(ctx.db, versions, [template.id, id]);
  if ((await countVersions(ctx.db, template.id)) === 1) {
    const message = 'This is the only version of the template. Create another one first.';
    throw new AppError(VERSION_CONFLICT, { message });
  }
  await deleteRecord(ctx, versions, [template.id, id]);
  if (deleted.active) await activateVersionBefore(ctx.db, template.id, deleted.version);
  return { id };
}

/** Stores a version's contents as the first, active version of another template; returns its id. */
export async function copyVersion(
  ctx: MemberContext,
  original: VersionRow,
  templateId: string,
): Promise<string> {
  const contents = columnsOf(versions.fields, 'create', original);
  const columns = { ...contents, version: 1, active: true };
  const { id } = await createRecord(ctx, versions, columns, { key: templateId });
  return id;
}

const FIELDS = { subject: 'subject', html: 'html_content', text: 'plain_content' } as const;

/** Checks texts and attachments. @throws AppError INVALID_TEMPLATE. */
async function checkContents(ctx: MemberContext, body: VersionBody): Promise<void> {
  const issues = await attachmentFaults(ctx, body.attachments ?? []);
  const texts = { subject: body.subject, html: body.html_content, text: body.plain_content ?? null };
  const fault = await findSyntaxFault(ctx, texts, FIELDS);
  if (fault !== null) issues.push(fault);
  if (issues.length > 0) throw invalidTemplate(issues);
}

async function attachmentFaults(
  { db }: MemberContext,
  attachments: NonNullable<VersionBody['attachments']>,
): Promise<Issue[]> {
  const ids = attachments.flatMap(({ asset_id: id }) => id ?? []);
  const assets = await listAssets(db, ids);
  return attachments.flatMap(({ url, asset_id: id, ...labels }, index): Issue[] => {
    const place = `attachments[${index}]`;
    if (id !== undefined && url !== undefined)
      return [{ field: place, message: 'must have either url or asset_id' }];
    if (id !== undefined)
      return assets.has(id)
        ? []
        : [{ field: `${place}.asset_id`, message: 'must reference an existing asset' }];
    const missing = Object.entries({ name: labels.name, type: labels.type, url })
      .filter(([, value]) => value === undefined)
      .map(([name]) => ({ field: `${place}.${name}`, message: 'is required' }));
    const target = url === undefined ? null : parseTarget(url);
    return typeof target === 'string' ? [...missing, { field: `${place}.url`, message: target }] : missing;
  });
}
