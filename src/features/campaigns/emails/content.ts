/** What an e-mail sends, and what keeps it from being sent. */
import type { Issue } from '../../../errors/app-error.ts';
import { isAddress, sendableAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findUnmetConditions } from '../../computed-audiences/index.ts';
import { findVerifiedDomain } from '../../email-settings/index.ts';
import {
  findSnippetNames,
  findSyntaxFault,
  findTemplateToSend,
  loadSnippets,
  loadSnippetsOf,
} from '../../email-templates/index.ts';
import { findFailedAudiences } from '../../subscriber-groups/index.ts';
import { type StoredContent, storedAttachments } from '../../transmissions/index.ts';
import type { EmailRow } from './resource.ts';

/** Content as it is frozen, and what is tracked of it. */
export interface FrozenContent {
  readonly content: StoredContent;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
}

/** A reason why there is no content. */
export interface ContentProblem extends Issue {
  readonly id: string;
  readonly field: string;
}

/** The content, or every reason why there is none. */
export type ContentCheck =
  | { readonly frozen: FrozenContent; readonly problems: readonly [] }
  | { readonly frozen: null; readonly problems: readonly ContentProblem[] };

type Draft = Pick<EmailRow, 'subject' | 'content' | 'from_email' | 'from_name' | 'audience_ids'>;

interface Source extends Omit<FrozenContent, 'content'> {
  readonly texts: Pick<
    StoredContent,
    'html' | 'text' | 'generateText' | 'snippets' | 'attachments' | 'replyTo'
  >;
  readonly from: string;
  readonly fromName: string;
}

const UNVERIFIED = { id: 'sender_not_verified', field: 'from_email' } as const;
const PARTS = { subject: 'subject', html: 'content.html', text: 'content.text' } as const;

/** Reads what the e-mail sends now. A rendering thread reads it: never inside a transaction. */
export async function readContent(platform: Platform, db: ScopedDb, email: Draft): Promise<ContentCheck> {
  const source = await readSource(platform, db, email);
  if (!('texts' in source)) return { frozen: null, problems: [source] };
  const { texts, from, fromName, ...tracking } = source;
  const problems: ContentProblem[] = [];
  const sender = sendableAddress(email.from_email?.trim() || from);
  if (!isAddress(sender)) problems.push({ ...UNVERIFIED, message: 'is needed: the sender of the e-mail' });
  else if ((await findVerifiedDomain(db, sender)) === null)
    problems.push({ ...UNVERIFIED, message: 'is not on a verified sending domain' });
  const fault = await findSyntaxFault(
    { platform, db },
    { subject: email.subject, html: texts.html, text: texts.text },
    PARTS,
  );
  if (fault !== null) problems.push({ id: 'template_invalid', field: 'content', ...fault });
  problems.push(...(await findAudienceProblems(platform, db, email)));
  if (problems.length > 0) return { frozen: null, problems };
  const name = email.from_name || fromName;
  const content: StoredContent = {
    ...texts,
    from: { address: sender, ...(name === '' ? {} : { name }) },
    subject: email.subject,
  };
  return { frozen: { ...tracking, content }, problems: [] };
}

/** What is wrong with the audiences: it would go to others than their filters say, or to nobody. */
async function findAudienceProblems(
  platform: Platform,
  { tenantId }: ScopedDb,
  { audience_ids: ids }: Draft,
): Promise<ContentProblem[]> {
  const at = { id: 'audience_invalid', field: 'audience_ids' };
  // Those of other units, too.
  const db = platform.scoped(wholeTenant(tenantId));
  const unmet = await findUnmetConditions(db, ids, platform.clock());
  const problems = unmet.map((condition) => ({
    ...at,
    message: `names an audience that nobody can be in: ${condition.field} ${condition.message}`,
  }));
  const hasFailed = (await findFailedAudiences(db, ids)).length > 0;
  return hasFailed
    ? [...problems, { ...at, message: 'names an audience that could not be computed' }]
    : problems;
}

/** The texts of the e-mail's own or of its template, or why there are none. */
async function readSource(platform: Platform, db: ScopedDb, email: Draft): Promise<Source | ContentProblem> {
  const { html, text, template_id: templateId } = email.content ?? {};
  if (templateId) return readTemplate(platform, db, email, templateId);
  if (!html?.trim())
    return { id: 'content_empty', field: 'content', message: 'is needed: html of its own or a template' };
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
  const at = { id: 'template_invalid', field: 'content.template_id' };
  const found = await findTemplateToSend(db, templateId);
  if (found === null) return { ...at, message: 'names no template' };
  const { template, version } = found;
  if (template.transactional) return { ...at, message: 'names a transactional template' };
  if (version === null) return { ...at, message: 'names a template without an active version' };
  const { html_content: html, plain_content: text } = version;
  return {
    texts: {
      ...{ html, text },
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
