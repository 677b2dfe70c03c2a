/** Content of an email, and the problems that prevent sending it. */
import type { Issue } from '../../../../errors/app-error.ts';
import { isAddress, sendableAddress } from '../../../../mail/address.ts';
import type { Platform } from '../../../../platform.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { findFailedAudiences, findUnmetConditions } from '../../../contacts/api.ts';
import {
  findSnippetNames,
  findSyntaxFault,
  findTemplateToSend,
  loadSnippets,
  loadSnippetsOf,
  type StoredContent,
  senders,
  storedAttachments,
} from '../../../mail/api.ts';
import type { EmailRow } from './resource.ts';

/** Snapshot of the content, with its tracking settings. */
export interface ContentSnapshot {
  readonly content: StoredContent;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
}

/** A problem that prevents sending. */
export interface ContentProblem extends Issue {
  readonly id: string;
  readonly field: string;
}

/** The content, or all its problems. */
export type ContentCheck =
  | { readonly snapshot: ContentSnapshot; readonly problems: readonly [] }
  | { readonly snapshot: null; readonly problems: readonly ContentProblem[] };

type Draft = Pick<EmailRow, 'subject' | 'content' | 'from_email' | 'from_name' | 'audience_ids'>;

interface Source extends Omit<ContentSnapshot, 'content'> {
  readonly texts: Pick<
    StoredContent,
    'html' | 'text' | 'generateText' | 'snippets' | 'attachments' | 'replyTo'
  >;
  readonly from: string;
  readonly fromName: string;
}

const UNVERIFIED = { id: 'sender_not_verified', field: 'from_email' } as const;
const PARTS = { subject: 'subject', html: 'content.html', text: 'content.text' } as const;

/** Reads the current content of an email. Call it outside of transactions: it waits for a rendering thread. */
export async function readContent(platform: Platform, db: ScopedDb, email: Draft): Promise<ContentCheck> {
  const source = await readSource(platform, db, email);
  if (!('texts' in source)) return { snapshot: null, problems: [source] };
  const { texts, from, fromName, ...tracking } = source;
  const problems: ContentProblem[] = [];
  const sender = sendableAddress(email.from_email?.trim() || from);
  if (!isAddress(sender)) problems.push({ ...UNVERIFIED, message: 'is required: the sender of the email' });
  else if ((await senders.findVerifiedDomain(db, sender)) === null)
    problems.push({ ...UNVERIFIED, message: 'must be on a verified sending domain' });
  const fault = await findSyntaxFault(
    { platform, db },
    { subject: email.subject, html: texts.html, text: texts.text },
    PARTS,
  );
  if (fault !== null) problems.push({ id: 'template_invalid', field: 'content', ...fault });
  problems.push(...(await findAudienceProblems(platform, db, email)));
  if (problems.length > 0) return { snapshot: null, problems };
  const name = email.from_name || fromName;
  const content: StoredContent = {
    ...texts,
    from: { address: sender, ...(name === '' ? {} : { name }) },
    subject: email.subject,
  };
  return { snapshot: { ...tracking, content }, problems: [] };
}

/** Finds audiences whose members do not match their filters, or that cannot have members. */
async function findAudienceProblems(
  platform: Platform,
  { tenantId }: ScopedDb,
  { audience_ids: ids }: Draft,
): Promise<ContentProblem[]> {
  const problem = { id: 'audience_invalid', field: 'audience_ids' };
  // Audiences may belong to other units.
  const db = platform.scoped(wholeTenant(tenantId));
  const unmet = await findUnmetConditions(db, ids, platform.clock());
  const problems = unmet.map((condition) => ({
    ...problem,
    message: `references an audience that cannot have members: ${condition.field} ${condition.message}`,
  }));
  const hasFailed = (await findFailedAudiences(db, ids)).length > 0;
  return hasFailed
    ? [...problems, { ...problem, message: 'references an audience that could not be computed' }]
    : problems;
}

/** Reads the texts of the email or of its template, or returns the problem. */
async function readSource(platform: Platform, db: ScopedDb, email: Draft): Promise<Source | ContentProblem> {
  const { html, text, template_id: templateId } = email.content ?? {};
  if (templateId) return readTemplate(platform, db, email, templateId);
  if (!html?.trim())
    return { id: 'content_empty', field: 'content', message: 'is required: html or a template' };
  return {
    texts: {
      html,
      text: text ?? null,
      generateText: !text,
      snippets: await loadSnippets(db, findSnippetNames(email.subject, html, text ?? null)),
      attachments: [],
      replyTo: null,
    },
    from: '',
    fromName: '',
    openTracking: true,
    clickTracking: true,
  };
}

async function readTemplate(
  platform: Platform,
  db: ScopedDb,
  { subject }: Draft,
  templateId: string,
): Promise<Source | ContentProblem> {
  const problem = { id: 'template_invalid', field: 'content.template_id' };
  const found = await findTemplateToSend(db, templateId);
  if (found === null) return { ...problem, message: 'must reference an existing template' };
  const { template, version } = found;
  if (template.transactional) return { ...problem, message: 'must not reference a transactional template' };
  if (version === null) return { ...problem, message: 'must reference a template with an active version' };
  const { html_content: html, plain_content: text } = version;
  return {
    texts: {
      html,
      text,
      generateText: version.generate_plain_content,
      snippets: await loadSnippetsOf({ platform, db }, template, findSnippetNames(subject, html, text)),
      attachments: await storedAttachments(db, version.attachments ?? []),
      replyTo: template.reply_to || null,
    },
    from: template.from_email,
    fromName: template.from_name ?? '',
    openTracking: template.open_tracking,
    clickTracking: template.click_tracking,
  };
}
