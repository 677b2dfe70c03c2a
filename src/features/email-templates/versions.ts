/** The versions of a template: what is sent. They belong to their template's unit and leave no history. */
import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../errors/app-error.ts';
import { NOT_FOUND, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { parseTarget } from '../../outbound/target-policy.ts';
import { requireRecordRole } from '../../resources/ownership.ts';
import { type ListPage, pageOf, toListPage } from '../../resources/paging.ts';
import { getRecord } from '../../resources/records.ts';
import type { Role } from '../../tenancy/caller.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { invalidTemplate, TEMPLATE_NOT_FOUND } from './errors.ts';
import {
  countVersions,
  deactivateVersions,
  findVersion,
  insertVersion,
  listVersions,
  lockTemplate,
  removeVersion,
  takeVersionNumber,
  updateVersion,
} from './queries.ts';
import { type NewVersion, type TemplateRow, templates, toVersion, type VersionRow } from './resource.ts';
import type { PageQuery, Version, VersionBody } from './schema.ts';
import { findSyntaxFault } from './syntax-check.ts';

/**
 * Checks a version before it is written; `id` names the one to replace. A rendering thread reads its texts: never
 * inside a transaction.
 * @throws AppError TEMPLATE_NOT_FOUND, NOT_FOUND, FORBIDDEN, or INVALID_TEMPLATE for what does not parse.
 */
export async function prepareVersion(
  ctx: MemberContext,
  templateId: string,
  body: VersionBody,
  id?: string,
): Promise<void> {
  const template = await getRecord(ctx.db, templates, templateId);
  requireRecordRole(ctx.caller, template, 'editor');
  if (id !== undefined) await requireVersion(ctx.db, template.id, id);
  await checkContents(ctx, body);
}

/** Adds a version. @throws AppError TEMPLATE_NOT_FOUND or FORBIDDEN. */
export async function createVersion(
  ctx: MemberContext,
  templateId: string,
  body: VersionBody,
): Promise<{ id: string; version: number }> {
  const { db, now } = ctx;
  const template = await lockForWrite(ctx, templateId, 'editor');
  if (body.active) await deactivateVersions(db, template.id);
  const id = uuidv7();
  const version = await takeVersionNumber(db, template);
  await insertVersion(db, {
    ...toColumns(body),
    tenant_id: db.tenantId,
    id,
    template_id: template.id,
    version,
    created_at: now,
    updated_at: now,
  });
  return { id, version };
}

/** One page of a template's versions, newest first. @throws AppError TEMPLATE_NOT_FOUND. */
export async function listTemplateVersions(
  ctx: MemberContext,
  templateId: string,
  query: PageQuery,
): Promise<ListPage<Version>> {
  const template = await getRecord(ctx.db, templates, templateId);
  const page = pageOf(query);
  const { rows, total } = await listVersions(ctx.db, template.id, page);
  return toListPage(rows.map(toVersion), total, page);
}

/** Reads a version. @throws AppError TEMPLATE_NOT_FOUND or NOT_FOUND. */
export async function getVersion(ctx: MemberContext, templateId: string, id: string): Promise<Version> {
  const template = await getRecord(ctx.db, templates, templateId);
  return toVersion(await requireVersion(ctx.db, template.id, id));
}

/** Replaces a version, which keeps its number. @throws AppError TEMPLATE_NOT_FOUND, NOT_FOUND or FORBIDDEN. */
export async function replaceVersion(
  ctx: MemberContext,
  templateId: string,
  id: string,
  body: VersionBody,
): Promise<{ id: string; version: number }> {
  const template = await lockForWrite(ctx, templateId, 'editor');
  const current = await requireVersion(ctx.db, template.id, id);
  if (body.active) await deactivateVersions(ctx.db, template.id);
  await updateVersion(ctx.db, current.id, { ...toColumns(body), updated_at: ctx.now });
  return { id: current.id, version: current.version };
}

/** Deletes a version. @throws AppError VERSION_CONFLICT for a template's only one, NOT_FOUND, FORBIDDEN. */
export async function deleteVersion(
  ctx: MemberContext,
  templateId: string,
  id: string,
): Promise<{ id: string }> {
  const template = await lockForWrite(ctx, templateId, 'admin');
  const version = await requireVersion(ctx.db, template.id, id);
  if ((await countVersions(ctx.db, template.id)) === 1) {
    const message = 'This is the only version of the template. Create another one first.';
    throw new AppError(VERSION_CONFLICT, { message });
  }
  await removeVersion(ctx.db, version.id);
  return { id: version.id };
}

/** Stores a version's contents as the first, active version of another template; returns its id. */
export async function copyVersion(
  tx: ScopedDb,
  version: VersionRow,
  templateId: string,
  now: Date,
): Promise<string> {
  const id = uuidv7();
  await insertVersion(tx, {
    ...toColumns(version),
    tenant_id: tx.tenantId,
    id,
    template_id: templateId,
    version: 1,
    active: true,
    created_at: now,
    updated_at: now,
  });
  return id;
}

async function lockForWrite(ctx: MemberContext, id: string, role: Role): Promise<TemplateRow> {
  const template = await lockTemplate(ctx.db, id);
  if (template === null) throw new AppError(TEMPLATE_NOT_FOUND);
  requireRecordRole(ctx.caller, template, role);
  return template;
}

async function requireVersion(db: ScopedDb, templateId: string, id: string): Promise<VersionRow> {
  const version = await findVersion(db, templateId, id);
  if (version === null) throw new AppError(NOT_FOUND);
  return version;
}

const FIELDS = { subject: 'subject', html: 'html_content', text: 'plain_content' } as const;

/** @throws AppError INVALID_TEMPLATE. */
async function checkContents(ctx: MemberContext, body: VersionBody): Promise<void> {
  const issues: Issue[] = (body.attachments ?? []).flatMap(({ url }, index) => {
    const target = parseTarget(url);
    return typeof target === 'string' ? [{ field: `attachments[${index}].url`, message: target }] : [];
  });
  const texts = { subject: body.subject, html: body.html_content, text: body.plain_content ?? null };
  const fault = await findSyntaxFault(ctx, texts, FIELDS);
  if (fault !== null) issues.push(fault);
  if (issues.length > 0) throw invalidTemplate(issues);
}

type VersionColumns = Omit<
  NewVersion,
  'tenant_id' | 'id' | 'template_id' | 'version' | 'created_at' | 'updated_at'
>;

function toColumns(body: VersionBody | VersionRow): VersionColumns {
  return {
    active: body.active,
    subject: body.subject,
    html_content: body.html_content,
    plain_content: body.plain_content ?? null,
    generate_plain_content: body.generate_plain_content ?? false,
    template_builder_content: toJson(body.template_builder_content),
    test_data: toJson(body.test_data),
    data_fields_schema: toJson(body.data_fields_schema),
    attachments: toJson(body.attachments),
  };
}

function toJson(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
