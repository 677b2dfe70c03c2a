/** Resolves the content of a transmission to a snapshot, which later changes do not affect. */
import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, ruleBroken } from '../../../errors/platform-errors.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { normalizeAddress, sendableAddress } from '../../../mail/address.ts';
import {
  findBounceDomain,
  getEmailSettings,
  invalidSenders,
  isVerifiedSender,
} from '../../email-settings/api.ts';
import {
  findSyntaxFault,
  findTemplateToSend,
  loadSnippets,
  loadSnippetsOf,
  TEMPLATE_NOT_FOUND,
  type TemplateRow,
  type VersionRow,
} from '../email-templates/index.ts';
import { storedAttachments } from './attachments.ts';
import { readSender } from './request-check.ts';
import type { TransmissionCreate } from './schema.ts';
import type { StoredAttachment, StoredContent } from './tables.ts';

/** Context of resolving content. */
type ContentContext = Pick<RequestContext, 'platform'> & TenantContext;

/** Content, and the default tracking. */
export interface ResolvedContent {
  readonly content: StoredContent;
  readonly tracking: { readonly open: boolean; readonly click: boolean };
}

/**
 * Resolves the content of a checked request, with its attachments after those of the template.
 * @throws AppError TEMPLATE_NOT_FOUND, VALIDATION_ERROR for a template without an active version,
 * TEMPLATE_RENDER_ERROR for snippets that are too long in total, INVALID_SENDER_IDENTITY, or INVALID_REQUEST for inline
 * content with a syntax error.
 */
export async function resolveContent(
  ctx: ContentContext,
  body: TransmissionCreate,
  attachments: readonly StoredAttachment[],
): Promise<ResolvedContent> {
  const { template_id: templateId } = body.content;
  const resolved =
    templateId === undefined ? await readInline(ctx, body) : await readTemplate(ctx, templateId);
  const { from } = resolved.content;
  const sender = await checkSender(
    ctx,
    body,
    from.address,
    templateId === undefined ? 'content.from' : 'content',
  );
  return {
    ...resolved,
    content: {
      ...resolved.content,
      from: { ...from, address: sender },
      attachments: [...resolved.content.attachments, ...attachments],
    },
  };
}

/** Checks that bounces to the address arrive here. @throws AppError INVALID_REQUEST. */
export async function checkReturnPath({ db }: TenantContext, returnPath: string | undefined): Promise<void> {
  if (returnPath === undefined) return;
  if ((await findBounceDomain(db, normalizeAddress(returnPath))) === null)
    throw invalidRequest([
      { field: 'return_path', message: 'must be at a sending domain that is verified by CNAME' },
    ]);
}

async function readTemplate(ctx: ContentContext, templateId: string): Promise<ResolvedContent> {
  const found = await findTemplateToSend(ctx.db, templateId);
  if (found === null) throw new AppError(TEMPLATE_NOT_FOUND);
  const { template, version } = found;
  if (version === null)
    throw ruleBroken('content.template_id', 'must reference a template with an active version');
  return {
    tracking: { open: template.open_tracking, click: template.click_tracking },
    content: await contentOfTemplate(ctx, template, version),
  };
}

/**
 * Returns the content of a template's version, without checking its sender. Do not call it in a transaction.
 * @throws AppError TEMPLATE_RENDER_ERROR for snippets that are too long in total.
 */
export async function contentOfTemplate(
  ctx: ContentContext,
  template: TemplateRow,
  version: VersionRow,
): Promise<StoredContent> {
  const texts = { subject: version.subject, html: version.html_content, text: version.plain_content };
  const name = template.from_name ?? '';
  return {
    from: { address: sendableAddress(template.from_email), ...(name === '' ? {} : { name }) },
    replyTo: template.reply_to || null,
    ...texts,
    generateText: version.generate_plain_content,
    snippets: await loadSnippetsOf(ctx, template, Object.values(texts)),
    attachments: await storedAttachments(ctx.db, version.attachments ?? []),
  };
}

async function readInline(ctx: ContentContext, body: TransmissionCreate): Promise<ResolvedContent> {
  const { from = '', subject = '', html = '', text, reply_to: replyTo } = body.content;
  const isTemplate = body.options.perform_substitutions ?? true;
  const content = {
    from: readSender(from),
    replyTo: replyTo === undefined ? null : sendableAddress(replyTo),
    subject,
    html,
    text: text ?? null,
    generateText: text === undefined,
    snippets: isTemplate ? await loadSnippets(ctx.db, [subject, html, text ?? null]) : {},
    attachments: [],
  };
  const fault = isTemplate ? await findSyntaxFault(ctx, content, FIELDS) : null;
  if (fault !== null) throw invalidRequest([fault]);
  return { tracking: { open: false, click: false }, content };
}

const FIELDS = { subject: 'content.subject', html: 'content.html', text: 'content.text' } as const;

/** Returns the sender address: at the sandbox domain if requested, else it must be at a verified domain. */
async function checkSender(
  { platform, db }: ContentContext,
  { options }: TransmissionCreate,
  address: string,
  field: string,
): Promise<string> {
  if (options.sandbox === true) {
    const localPart = address.slice(0, address.lastIndexOf('@'));
    return `${localPart}@${platform.config.sandboxSendingDomain}`;
  }
  if (!isVerifiedSender(await getEmailSettings(db), address)) throw invalidSenders([field]);
  return address;
}
