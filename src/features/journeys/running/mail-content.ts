/** Content of a step's mail, from the current version of its template. */

import { createHash } from 'node:crypto';
import { AppError } from '../../../errors/app-error.ts';
import { sendableAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getEmailSettings, isVerifiedSender } from '../../email-settings/api.ts';
import { contentOfTemplate, findTemplateToSend, type StoredContent } from '../../mail/api.ts';
import type { StepOf } from '../schema.ts';

/** A mail that can be sent. */
export interface MailContent {
  readonly content: StoredContent;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  /** True if it is also sent to unsubscribed recipients. */
  readonly isTransactional: boolean;
  /** Type that recipients must be subscribed to; null if there is none. */
  readonly subscriptionTypeId: string | null;
}

/** Reads the content that a step sends, or returns an error message. Call it outside of transactions. */
export async function readMailContent(
  platform: Platform,
  db: ScopedDb,
  { template_id, subject, from_email, subscription_type_id }: StepOf<'send_email'>,
): Promise<MailContent | string> {
  const found = await findTemplateToSend(db, template_id);
  if (found === null) return 'The email template no longer exists.';
  const { template, version } = found;
  if (version === null) return 'The email template has no active version.';
  const sender = sendableAddress(from_email ?? template.from_email);
  if (!isVerifiedSender(await getEmailSettings(db), sender))
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
    // For example, the total size of the snippets exceeds its limit.
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

/** Returns a hash of the content, to recognize unchanged content. */
export function fingerprintOf(mail: MailContent, shared: object): string {
  return createHash('sha256')
    .update(JSON.stringify([mail, shared]))
    .digest('base64url');
}
