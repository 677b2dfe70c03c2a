import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { defaultBounceDomain, getEmailSettings } from '../../../email-settings/api.ts';
import { renderAll, withRecipientData } from './load.ts';
import { contentIdOf, findMessage, findWholeTransmission } from './queries.ts';
import { resolveRecipients, type Viewer } from './recipient-resolver.ts';

/** Longest rendered message, in characters. */
const MAX_CHARACTERS = 10 * 1024 * 1024;

/**
 * Renders the HTML of a message again from its snapshot, without tracking. Returns null if the message or its recipient
 * is gone, the recipient's address has changed, or rendering fails. Do not call it in a transaction: a rendering thread
 * does the work.
 */
export async function renderAgain(
  platform: Platform,
  db: ScopedDb,
  messageId: string,
  viewer: Viewer,
  deadline: AbortSignal,
): Promise<string | null> {
  const message = await findMessage(db, messageId);
  if (message === undefined) return null;
  const transmission = await findWholeTransmission(db, contentIdOf(message));
  if (transmission === undefined) return null;
  const recipients = await resolveRecipients(platform, db, transmission, [message], viewer);
  const { data, hasNewAddress = false } = recipients?.get(message.id) ?? {};
  if (message.subscriber_id !== null && (data === undefined || hasNewAddress)) return null;
  const { sending_domains } = await getEmailSettings(db);
  const bounceDomain = defaultBounceDomain(sending_domains);
  const rendered = await renderAll(platform, transmission, [withRecipientData(message, recipients)], {
    bounceDomain,
    maxCharacters: MAX_CHARACTERS,
    viewer,
    deadline,
  });
  const [result] = rendered;
  return result?.ok ? result.html : null;
}
