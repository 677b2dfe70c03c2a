/**
 * A rendered message with its headers (docs/specification/transmissions.md#messages); links and pixel are put in when it
 * is built.
 */
import { domainOf } from '../../../mail/address.ts';
import type { DkimKey } from '../../../mail/dkim.ts';
import type { MailAttachment, MailMessage } from '../../../mail/message.ts';
import { bounceAddress } from '../../../mail/verp.ts';
import type { Platform } from '../../../platform.ts';
import type { RenderResult } from '../../email-templates/index.ts';
import { unsubscribeLinks } from '../../email-tracking/index.ts';
import type { LoadedMessage, LoadedTransmission } from './queries.ts';

/** What a tenant's domains add to a message. */
export interface SenderFacts {
  readonly dkim: DkimKey | null;
  readonly bounceDomain: string | null;
}

/** Everything that a message is made of. */
export interface MessageParts {
  readonly message: LoadedMessage;
  readonly transmission: LoadedTransmission;
  readonly rendered: Extract<RenderResult, { ok: true }>;
  readonly sender: SenderFacts;
  readonly files: readonly MailAttachment[];
}

/** The message; of one recipient it has the same Message-ID however often it is made. */
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

/** One click (RFC 8058), and by mail for programs that know only that (RFC 2369). */
function unsubscribeHeaders(
  platform: Platform,
  { tenant_id, id }: LoadedMessage,
  { bounceDomain }: SenderFacts,
): Record<string, string> {
  const { url, mailto } = unsubscribeLinks(platform, tenant_id, id, bounceDomain);
  return {
    'List-Unsubscribe': [url, ...(mailto === null ? [] : [mailto])].map((link) => `<${link}>`).join(', '),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** An address of this message's own when bounces come back here; a return path names its domain and its start. */
function envelopeSender(
  platform: Platform,
  { tenant_id: tenantId, id: messageId }: LoadedMessage,
  { content, return_path: returnPath }: LoadedTransmission,
  { bounceDomain }: SenderFacts,
): string {
  if (returnPath !== null) {
    const domain = domainOf(returnPath);
    const localPartStart = returnPath.slice(0, returnPath.lastIndexOf('@'));
    return bounceAddress(platform, { tenantId, messageId, domain, localPartStart });
  }
  if (bounceDomain === null) return content.from.address;
  return bounceAddress(platform, { tenantId, messageId, domain: bounceDomain });
}
