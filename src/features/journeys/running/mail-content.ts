/** What a step's mail says now: its template as it is when the step runs. */
import { createHash } from 'node:crypto';
import { AppError } from '../../../errors/app-error.ts';
import { sendableAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findVerifiedDomain } from '../../email-settings/index.ts';
import { findTemplateToSend } from '../../email-templates/index.ts';
import { contentOfTemplate, type StoredContent } from '../../transmissions/index.ts';
import type { StepOf } from '../schema.ts';

/** A mail that can be sent. */
export interface MailContent {
  readonly content: StoredContent;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  /** It goes to the unsubscribed, too. */
  readonly isTransactional: boolean;
  /** What its recipients are subscribed to; null: nothing. */
  readonly subscriptionTypeId: string | null;
}

/** Reads what a step sends, or says why it cannot. Never inside a transaction. */
export async function readMailContent(
  platform: Platform,
  db: ScopedDb,
  { template_id, subject, from_email, subscription_type_id }: StepOf<'send_email'>,
): Promise<MailContent | string> {
  const found = await findTemplateToSend(db, template_id);
  if (found === null) return 'The template of the mail is gone.';
  const { template, version } = found;
  if (version === null) return 'The template of the mail has no active version.';
  const sender = sendableAddress(from_email ?? template.from_email);
  if ((await findVerifiedDomain(db, sender)) === null)
    return `The sender ${sender} is not on a verified sending domain.`;
  try {
    const content = await contentOfTemplate({ platform, db }, template, {
      ...version,
      subject: subject ?? version.subject,
    });
    return {
      content: { ...content, from: { ...content.from, address: sender } },
      openTracking: template.open_tracking,
      clickTracking: template.click_tracking,
      isTransactional: template.transactional,
      subscriptionTypeId: template.transactional ? null : (subscription_type_id ?? null),
    };
  } catch (error) {
    // Snippets that are too long together.
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

/** Names what is sent: the same as long as nothing of it changes. */
export function fingerprintOf(mail: MailContent, shared: object): string {
  return createHash('sha256')
    .update(JSON.stringify([mail, shared]))
    .digest('base64url');
}
