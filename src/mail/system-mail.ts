/**
 * Mail about user accounts, sent by the installation and not by a tenant. It is not a transmission: members of a tenant
 * can read transmissions, and these messages contain links that grant access like a password.
 */
import { randomUUID } from 'node:crypto';
import type { Html } from '../http/html.ts';
import type { Platform } from '../platform.ts';
import { domainOf, isAddress } from './address.ts';
import { buildMime, type Mailbox, type MailMessage } from './message.ts';

/** Inline style of the button, a link, in mail about accounts. */
export const MAIL_BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;border-radius:8px;background:#1c1917;color:#ffffff;font-weight:600;text-decoration:none';

/** A message to a user. */
export interface SystemMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: Html;
}

/**
 * Sends a message through the relay, or stores it in the outbox under `tenantId`. An invalid address or a permanent
 * rejection is reported and not retried.
 * @throws Error if a retry may succeed.
 */
export async function sendSystemMail(platform: Platform, tenantId: string, mail: SystemMail): Promise<void> {
  const { to, subject, text, html } = mail;
  if (!isAddress(to)) return reportUndeliverable(platform, 'the recipient is not a valid email address');
  const from = systemSender(platform);
  const message: MailMessage = {
    from,
    to: { address: to },
    subject,
    text,
    html: html.toString(),
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    messageId: `${randomUUID()}@${domainOf(from.address)}`,
    date: platform.clock(),
    attachments: [],
    envelope: { from: from.address, to },
  };
  const result = await platform.mail.send(tenantId, message, await buildMime(message));
  if (result.kind === 'sent') return;
  if (result.kind === 'unavailable') throw new Error(`The relay is unavailable: ${result.error}`);
  const reason = `The relay refused the ${result.refused}: ${result.code} ${result.reply}`;
  if (!result.permanent || result.refused === 'account') throw new Error(reason);
  reportUndeliverable(platform, reason);
}

/** Returns SYSTEM_MAIL_FROM, or `noreply@` the host of PUBLIC_URL. */
function systemSender(platform: Platform): Mailbox {
  const { systemMailFrom } = platform.config;
  if (systemMailFrom !== null) return systemMailFrom;
  const address = `noreply@${new URL(platform.publicUrl()).hostname}`;
  // An IPv6 address cannot be the domain of an email address.
  return { address: isAddress(address) ? address : 'noreply@localhost' };
}

function reportUndeliverable({ observe }: Platform, reason: string): void {
  observe({ event: 'background.failed', task: 'send mail about an account', error: new Error(reason) });
}
