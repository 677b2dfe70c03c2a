/**
 * Adds the headers to a rendered message (docs/specification/transmissions.md#messages). Tracked links and the pixel
 * are added when it is serialized.
 */
import { domainOf } from '../../../../mail/address.ts';
import type { DkimKey } from '../../../../mail/dkim.ts';
import type { MailAttachment, MailMessage } from '../../../../mail/message.ts';
import { bounceAddress } from '../../../../mail/verp.ts';
import type { Platform } from '../../../../platform.ts';
import type { RenderResult } from '../../email-templates/index.ts';
import { unsubscribeLinks } from '../../email-tracking/index.ts';
import type { LoadedMessage, LoadedTransmission } from './queries.ts';

/** DKIM key and bounce domain of the sender. */
export interface SenderInfo {
  readonly dkim: DkimKey | null;
  readonly bounceDomain: string | null;
}

/** Parts of a message. */
export interface MessageParts {
  readonly message: LoadedMessage;
  readonly transmission: LoadedTransmission;
  readonly rendered: Extract<RenderResult, { ok: true }>;
  readonly sender: SenderInfo;
  readonly files: readonly MailAttachment[];
}

/** Composes the message. Its Message-ID is the same in every attempt. */
export function composeMessage(
  platform: Platform,
  { message, transmission, rendered, sender, files }: MessageParts,
): MailMessage {
  const { content } = transmission;
  const name = message.name ?? '';
  return {
    from: content.from,
    to: { address: message.header_to ?? message.address, ...(name === '' ? {} : { name }) },
    ...(content.replyTo === null ? {} : { replyTo: content.replyTo }),
    subject: rendered.subject,
    html: rendered.html,
    ...(rendered.text === null ? {} : { text: rendered.text }),
    headers: {
      'X-Tessera-Message': message.id,
      ...(transmission.transactional ? {} : unsubscribeHeaders(platform, message, sender)),
    },
    messageId: `<${message.id}@${domainOf(content.from.address)}>`,
    date: platform.clock(),
    attachments: files,
    envelope: { from: envelopeSender(platform, message, transmission, sender), to: message.address },
    ...(sender.dkim === null ? {} : { dkim: sender.dkim }),
  };
}

/** Returns the headers for one-click unsubscribe (RFC 8058) and unsubscribe by mail (RFC 2369). */
function unsubscribeHeaders(
  platform: Platform,
  { tenant_id, id }: LoadedMessage,
  { bounceDomain }: SenderInfo,
): Record<string, string> {
  const { url, mailto } = unsubscribeLinks(platform, tenant_id, id, bounceDomain);
  return {
    'List-Unsubscribe': [url, ...(mailto === null ? [] : [mailto])].map((link) => `<${link}>`).join(', '),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Returns a bounce address of this message, at the return path or the bounce domain; else the sender's address. */
function envelopeSender(
  platform: Platform,
  { tenant_id: tenantId, id: messageId }: LoadedMessage,
  { content, return_path: returnPath }: LoadedTransmission,
  { bounceDomain }: SenderInfo,
): string {
  if (returnPath !== null) {
    const domain = domainOf(returnPath);
    const localPartStart = returnPath.slice(0, returnPath.lastIndexOf('@'));
    return bounceAddress(platform, { tenantId, messageId, domain, localPartStart });
  }
  if (bounceDomain === null) return content.from.address;
  return bounceAddress(platform, { tenantId, messageId, domain: bounceDomain });
}
