import { AppError, type Issue } from '../../errors/app-error.ts';
import { FORBIDDEN } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { isAddress, sendableAddress } from '../../mail/address.ts';
import { type ListPage, pageOf } from '../../resources/paging.ts';
import {
  type Columns,
  type CreateOptions,
  createRecord,
  deleteRecord,
  getRecord,
  listViews,
  type ReplaceOptions,
  replaceRecord,
} from '../../resources/records.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { findVerifiedDomain } from '../email-settings/index.ts';
import { invalidTemplate } from './errors.ts';
import { findActiveVersion } from './queries.ts';
import { type TemplateRow, templates } from './resource.ts';
import type { CloneBody, Template, TemplateBody, TemplateQuery } from './schema.ts';
import { copyVersion } from './versions.ts';

/** Creates a template. @throws AppError INVALID_TEMPLATE for a sender that may not send, else as `createRecord`. */
export async function createTemplate(
  ctx: MemberContext,
  body: TemplateBody,
  options: CreateOptions,
): Promise<{ id: string }> {
  const shared = body.shared ?? false;
  if (shared) requireOwner(ctx);
  await checkSender(ctx.db, body);
  const columns = { ...toColumns(body), shared, last_version: 0 };
  const { id } = await createRecord(ctx, templates, columns, options);
  return { id };
}

/** One page of templates, newest first. */
export async function listTemplates(
  ctx: MemberContext,
  { name, type, search, ...page }: TemplateQuery,
): Promise<ListPage<Template>> {
  const filters = {
    ...(name === undefined ? {} : { name: { operation: 'like', value: name } }),
    ...(type === undefined ? {} : { type: { operation: 'eq', value: type } }),
  };
  return listViews(ctx.db, templates, { ...pageOf(page), filters, search });
}

/** Reads a template. @throws AppError TEMPLATE_NOT_FOUND. */
export async function getTemplate(ctx: MemberContext, id: string): Promise<Template> {
  return templates.view(await getRecord(ctx.db, templates, id));
}

/**
 * Replaces a template; `shared` stays when it is left out.
 * @throws AppError INVALID_TEMPLATE, FORBIDDEN when somebody else than an owner shares; else as `replaceRecord`.
 */
export async function replaceTemplate(
  ctx: MemberContext,
  id: string,
  body: TemplateBody,
  options: ReplaceOptions,
): Promise<{ id: string }> {
  await replaceRecord(ctx, templates, id, options, async (current, tx) => {
    const shared = body.shared ?? current.shared;
    if (shared !== current.shared) requireOwner(ctx);
    await checkSender(tx, body);
    return { ...toColumns(body), shared };
  });
  return { id };
}

/** Deletes a template with all its versions; its history stays. @throws AppError as `deleteRecord`. */
export async function deleteTemplate(ctx: MemberContext, id: string): Promise<{ id: string }> {
  await deleteRecord(ctx, templates, id);
  return { id };
}

/** Copies a template with its active version, as one that is not shared. @throws AppError as `createTemplate`. */
export async function cloneTemplate(
  ctx: MemberContext,
  { template_id, name }: CloneBody,
  options: CreateOptions,
): Promise<{ id: string; version_id: string | null }> {
  const { db } = ctx;
  const original = await getRecord(db, templates, template_id);
  const version = await findActiveVersion(db, original.id);
  await checkSender(db, original);
  const columns = {
    ...toColumns({ ...original, name }),
    shared: false,
    last_version: version === null ? 0 : 1,
  };
  const { id } = await createRecord(ctx, templates, columns, options);
  return { id, version_id: version === null ? null : await copyVersion(db, version, id, ctx.now) };
}

function toColumns(body: TemplateBody | TemplateRow): Columns {
  return {
    name: body.name,
    from_email: sendableAddress(body.from_email),
    from_name: body.from_name ?? null,
    reply_to: replyToOf(body),
    description: body.description ?? null,
    type: body.type ?? null,
    transactional: body.transactional,
    open_tracking: body.open_tracking ?? false,
    click_tracking: body.click_tracking ?? false,
  };
}

/** The address that answers go to; null when none is given. */
function replyToOf({ reply_to }: Pick<TemplateBody, 'reply_to'>): string | null {
  return reply_to?.trim() ? sendableAddress(reply_to) : null;
}

async function checkSender(db: ScopedDb, body: Pick<TemplateBody, 'from_email' | 'reply_to'>): Promise<void> {
  const issues: Issue[] = [];
  const sender = sendableAddress(body.from_email);
  if (!isAddress(sender)) issues.push({ field: 'from_email', message: 'is not an e-mail address' });
  else if ((await findVerifiedDomain(db, sender)) === null)
    issues.push({ field: 'from_email', message: 'is not on a verified sending domain' });
  const replyTo = replyToOf(body);
  if (replyTo !== null && !isAddress(replyTo))
    issues.push({ field: 'reply_to', message: 'is not an e-mail address' });
  if (issues.length > 0) throw invalidTemplate(issues);
}

/** Shared templates are the tenant's: only its owners make them (decisions section 3). */
function requireOwner({ caller }: MemberContext): void {
  if (!caller.isTenantAdmin) throw new AppError(FORBIDDEN);
}
