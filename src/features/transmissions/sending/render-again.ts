import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { defaultBounceDomain, getEmailSettings } from '../../email-settings/index.ts';
import { tellRecipients } from './audience.ts';
import { renderAll, withTold } from './load.ts';
import { findMessage, findWholeTransmission } from './queries.ts';

/** What a rendered message may have, characters. */
const MAX_CHARACTERS = 10 * 1024 * 1024;

/**
 * The HTML of a message, made anew from what was frozen, without tracking; null when the message or its recipient is
 * gone, or it cannot be made. Never inside a transaction: a rendering thread makes it.
 */
export async function renderAgain(
  platform: Platform,
  db: ScopedDb,
  messageId: string,
): Promise<string | null> {
  const message = await findMessage(db, messageId);
  if (message === undefined) return null;
  const transmission = await findWholeTransmission(db, message.transmission_id);
  if (transmission === undefined) return null;
  const told = await tellRecipients(platform, db, transmission, [message]);
  if (message.subscriber_id !== null && told?.get(message.id)?.data === undefined) return null;
  const { sending_domains } = await getEmailSettings(db);
  const bounceDomain = defaultBounceDomain(sending_domains);
  const rendered = await renderAll(
    platform,
    transmission,
    [withTold(message, told)],
    bounceDomain,
    MAX_CHARACTERS,
  );
  const [result] = rendered;
  return result?.ok ? result.html : null;
}
