/** Content of an email, and the problems that prevent sending it. */

import type { Issue } from '../../../../errors/app-error.ts';
import { isAddress, sendableAddress } from '../../../../mail/address.ts';
import type { Platform } from '../../../../platform.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { findFailedAudiences, findUnmetConditions } from '../../../contacts/api.ts';
import { getEmailSettings, isVerifiedSender } from '../../../email-settings/api.ts';
import {
  contentOfTemplate,
  findSyntaxFault,
  findTemplateToSend,
  loadSnippets,
  type StoredContent,
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

const SENDER_PROBLEM = { id: 'sender_not_verified', field: 'from_email' } as const;
const PARTS = { subject: 'subject', html: 'content.html', text: 'content.text' } as const;

/**
 * Reads and checks the current content of an email. Call it outside of transactions: it waits for a rendering thread.
 */
export async function readContent(platform: Platform, db: ScopedDb, email: Draft): Promise<ContentCheck> {
  const source = await readSource(platform, db, email);
  if (!('content' in source)) return { snapshot: null, problems: [source] };
  const { content, ...tracking } = source;
  const problems: ContentProblem[] = [];
  const sender = sendableAddress(email.from_email?.trim() || content.from.address);
  if (!isAddress(sender))
    problems.push({ ...SENDER_PROBLEM, message: 'is required: the sender of the email' });
  else if (!isVerifiedSender(await getEmailSettings(db), sender))
    problems.push({ ...SENDER_PROBLEM, message: 'must be on a verified sending domain' });
  const fault = await findSyntaxFault({ platform, db }, content, PARTS);
  if (fault !== null) problems.push({ id: 'template_invalid', field: 'content', ...fault });
  problems.push(...(await findAudienceProblems(platform, db, email)));
  if (problems.length > 0) return { snapshot: null, problems };
  const name = email.from_name || content.from.name;
  const from = { address: sender, ...(name ? { name } : {}) };
  return { snapshot: { ...tracking, content: { ...content, from } }, problems: [] };
}

/** Finds problems of the audiences: filters that no subscriber can meet, and failed computations. */
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

/** Reads the content of the email or of its template, without the email's own sender; or returns the problem. */
async function readSource(
  platform: Platform,
  db: ScopedDb,
  email: Draft,
): Promise<ContentSnapshot | ContentProblem> {
  const { html, text, template_id: templateId } = email.content ?? {};
  if (templateId) return readTemplate(platform, db, email, templateId);
  if (!html?.trim())
    return { id: 'content_empty', field: 'content', message: 'is required: html or a template' };
  return {
    content: {
      from: { address: '' },
      replyTo: null,
      subject: email.subject,
      html,
      text: text ?? null,
      generateText: !text,
      snippets: await loadSnippets(db, [email.subject, html, text ?? null]),
      attachments: [],
    },
    openTracking: true,
    clickTracking: true,
  };
}

async function readTemplate(
  platform: Platform,
  db: ScopedDb,
  { subject }: Draft,
  templateId: string,
): Promise<ContentSnapshot | ContentProblem> {
  const problem = { id: 'template_invalid', field: 'content.template_id' };
  const found = await findTemplateToSend(db, templateId);
  if (found === null) return { ...problem, message: 'must reference an existing template' };
  const { template, version } = found;
  if (template.transactional) return { ...problem, message: 'must not reference a transactional template' };
  if (version === null) return { ...problem, message: 'must reference a template with an active version' };
  return {
    content: await contentOfTemplate({ platform, db }, template, { ...version, subject }),
    openTracking: template.open_tracking,
    clickTracking: template.click_tracking,
  };
}
