import { AppError, type Issue } from '../../../errors/app-error.ts';
import { FORBIDDEN } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { isAddress, sendableAddress } from '../../../mail/address.ts';
import { type Columns, columnsOf } from '../../../resources/body.ts';
import { type CreateOptions, createRecord, getRecord } from '../../../resources/records.ts';
import { type RestoringContext, restoredOf } from '../../../resources/restored-records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getEmailSettings, isVerifiedSender } from '../../email-settings/api.ts';
import { invalidTemplate } from './errors.ts';
import { findActiveVersion, findLastNumber } from './queries.ts';
import { type TemplateCreate, type TemplateReplace, type TemplateRow, templates } from './resource.ts';
import type { CloneBody } from './schema.ts';
import { copyVersion } from './versions.ts';

/**
 * Returns the columns of a new or restored template that its body does not contain.
 * @throws AppError INVALID_TEMPLATE for an invalid sender, FORBIDDEN for a shared template of a caller who is not an
 * owner.
 */
export async function newTemplateColumns(
  ctx: MemberContext & RestoringContext,
  body: TemplateCreate,
): Promise<Columns> {
  if (body.shared) requireOwner(ctx);
  const restored = restoredOf(ctx, templates);
  const last_version = restored ? await findLastNumber(ctx.db, restored.key.at(-1) ?? '') : 0;
  return { ...(await senderColumns(ctx.db, body)), last_version };
}

/** Returns the computed columns of a replaced template. @throws AppError like `newTemplateColumns`. */
export async function replacedTemplateColumns(
  ctx: MemberContext,
  body: TemplateReplace,
  stored: TemplateRow,
): Promise<Columns> {
  if ((body.shared ?? stored.shared) !== stored.shared) requireOwner(ctx);
  return senderColumns(ctx.db, body);
}

/** Copies a template with its active version; the copy is not shared. @throws AppError like `newTemplateColumns`. */
export async function cloneTemplate(
  ctx: MemberContext,
  { template_id, name }: CloneBody,
  options: CreateOptions,
): Promise<{ id: string; version_id: string | null }> {
  const { db } = ctx;
  const original = await getRecord(db, templates, template_id);
  const version = await findActiveVersion(db, original.id);
  const columns = {
    ...columnsOf(templates.fields, 'create', original),
    ...(await senderColumns(db, original)),
    name,
    shared: false,
    last_version: version === null ? 0 : 1,
  };
  const { id } = await createRecord(ctx, templates, columns, options);
  return { id, version_id: version === null ? null : await copyVersion(ctx, version, id) };
}

/** Returns the addresses in the form in which they are stored. @throws AppError INVALID_TEMPLATE. */
async function senderColumns(
  db: ScopedDb,
  body: Pick<TemplateReplace, 'from_email' | 'reply_to'>,
): Promise<Columns> {
  const issues: Issue[] = [];
  const sender = sendableAddress(body.from_email);
  const replyTo = body.reply_to?.trim() ? sendableAddress(body.reply_to) : null;
  if (!isAddress(sender)) issues.push({ field: 'from_email', message: 'must be a valid email address' });
  else if (!isVerifiedSender(await getEmailSettings(db), sender))
    issues.push({ field: 'from_email', message: 'must be on a verified sending domain' });
  if (replyTo !== null && !isAddress(replyTo))
    issues.push({ field: 'reply_to', message: 'must be a valid email address' });
  if (issues.length > 0) throw invalidTemplate(issues);
  return { from_email: sender, reply_to: replyTo };
}

/**
 * Requires an owner, because shared templates belong to the tenant
 * (docs/specification/tenants.md#what-the-tenant-owns).
 */
function requireOwner({ caller }: MemberContext): void {
  if (!caller.isTenantAdmin) throw new AppError(FORBIDDEN);
}
