/** SendGrid: a JSON array of events, signed by ECDSA over a timestamp and the bytes of the body. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import Type from 'typebox';
import type { MailNotice } from '../../email-tracking/index.ts';
import { type MailProvider, requireSigned, shapeReader, toBounceEvent } from './provider.ts';

const SendGridEvent = Type.Object({
  event: Type.String(),
  email: Type.String(),
  timestamp: Type.Number({ description: 'Seconds.' }),
  /** The Message-ID; may be missing in events before SendGrid accepted the mail. */
  'smtp-id': Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
});
const readEvents = shapeReader(Type.Array(SendGridEvent));

/** The signing key is the verification key of the event webhook: base64, as SendGrid shows it. */
export const sendgrid: MailProvider = {
  checkKey(key) {
    const isKey = key !== undefined && publicKey(key) !== null;
    return isKey ? null : 'must be the verification key of the signed event webhook, as SendGrid shows it';
  },
  read(_platform, { headers, bytes, body, signingKey }) {
    const key = publicKey(signingKey ?? '');
    const time = String(headers['x-twilio-email-event-webhook-timestamp'] ?? '');
    const signature = String(headers['x-twilio-email-event-webhook-signature'] ?? '');
    const signed = Buffer.concat([Buffer.from(time), bytes]);
    requireSigned(key !== null && verify('sha256', signed, key, Buffer.from(signature, 'base64')));
    return readEvents(body).flatMap((event): MailNotice[] => {
      const mailEvent = toMailEvent(event);
      const occurredAt = new Date(event.timestamp * 1000);
      const { email: recipient, 'smtp-id': messageId = null } = event;
      return mailEvent === null ? [] : [{ recipient, messageId, occurredAt, event: mailEvent }];
    });
  },
};

/** Returns a public key on an elliptic curve; null for any other text. */
function publicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : null;
  } catch {
    return null;
  }
}

function toMailEvent({
  event,
  type,
  reason = '',
  status = '',
}: ReturnType<typeof readEvents>[number]): MailNotice['event'] | null {
  if (event === 'spamreport') return { type: 'complaint' };
  const isBlock = type === 'blocked';
  if (event === 'bounce') {
    const bounce = toBounceEvent({ text: reason, status, providerClass: isBlock ? 'soft' : 'hard' });
    // A block concerns the message or its sender, whatever the reply says.
    return isBlock ? { ...bounce, bounceClass: 'soft' } : bounce;
  }
  // Suppressed by SendGrid, because the address bounced or complained before.
  if (event === 'dropped' && /^(?:bounced address|invalid$)/i.test(reason.trim()))
    return { type: 'bounce', bounceClass: 'hard', detail: reason };
  if (event === 'dropped' && /^spam reporting address/i.test(reason))
    return { type: 'complaint', detail: reason };
  return null;
}
