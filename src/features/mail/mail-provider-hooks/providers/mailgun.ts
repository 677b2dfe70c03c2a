/** Mailgun: JSON with its own HMAC-SHA-256 over a timestamp and a random token. */
import { createHmac } from 'node:crypto';
import Type from 'typebox';
import { digestsEqual } from '../../../../secrets/api-keys.ts';
import type { MailNotice } from '../../email-tracking/index.ts';
import { type MailProvider, requireSigned, shapeReader, toBounceEvent } from './provider.ts';

const optional = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Optional(schema);

const readSignature = shapeReader(
  Type.Object({
    signature: Type.Object({ timestamp: Type.String(), token: Type.String(), signature: Type.String() }),
  }),
);

const readEvent = shapeReader(
  Type.Object({
    'event-data': Type.Object({
      event: Type.String(),
      timestamp: Type.Number({ description: 'Seconds.' }),
      recipient: Type.String(),
      severity: optional(Type.String()),
      reason: optional(Type.String()),
      'delivery-status': optional(
        Type.Object({
          code: optional(Type.Unknown()),
          message: optional(Type.Unknown()),
          description: optional(Type.Unknown()),
        }),
      ),
      message: Type.Object({ headers: Type.Object({ 'message-id': Type.String() }) }),
    }),
  }),
);
type MailgunEvent = ReturnType<typeof readEvent>['event-data'];

/**
 * Mailgun retries for eight hours. The signature covers only the time and token, so an old one could be reused with
 * another body.
 */
const SIGNED_WITHIN_MS = 24 * 60 * 60 * 1000;

/** The signing key is the account's HTTP webhook signing key. */
export const mailgun: MailProvider = {
  checkKey: (key) => (key === undefined ? 'is required: the HTTP webhook signing key of the account' : null),
  read({ clock }, { body, signingKey }) {
    const { timestamp, token, signature } = readSignature(body).signature;
    const expected = createHmac('sha256', signingKey ?? '')
      .update(timestamp + token)
      .digest('hex');
    requireSigned(signingKey !== null && digestsEqual(Buffer.from(expected), Buffer.from(signature)));
    requireSigned(Math.abs(clock().getTime() - Number(timestamp) * 1000) < SIGNED_WITHIN_MS);
    const { 'event-data': event } = readEvent(body);
    const mailEvent = toMailEvent(event);
    if (mailEvent === null) return [];
    const occurredAt = new Date(event.timestamp * 1000);
    const { recipient, message } = event;
    return [{ recipient, messageId: message.headers['message-id'], occurredAt, event: mailEvent }];
  },
};

function toMailEvent({ event, severity, reason, ...details }: MailgunEvent): MailNotice['event'] | null {
  if (event === 'complained') return { type: 'complaint' };
  // Temporary failures are repeated, and the last one is permanent.
  if (event !== 'failed' || severity !== 'permanent') return null;
  const status = details['delivery-status'];
  const text = String(status?.message || status?.description || reason || '');
  if (reason === 'suppress-unsubscribe') return null;
  if (reason === 'suppress-complaint') return { type: 'complaint', detail: text };
  if (reason === 'suppress-bounce') return { type: 'bounce', bounceClass: 'hard', detail: text };
  const code = Number(status?.code);
  const providerClass = reason === 'bounce' ? 'hard' : 'soft';
  return toBounceEvent({ text, code: code >= 400 && code < 600 ? code : null, providerClass });
}
