/**
 * Postmark: JSON without a signature. The credential is the secret hook URL, optionally with a user name and password.
 */
import Type from 'typebox';
import { digestsEqual } from '../../../../secrets/api-keys.ts';
import type { MailNotice } from '../../email-tracking/index.ts';
import { type MailProvider, requireSigned, shapeReader, toBounceEvent } from './provider.ts';

const readNotice = shapeReader(
  Type.Object({
    RecordType: Type.String(),
    Type: Type.Optional(Type.String()),
    /** Present in bounces and complaints. */
    Email: Type.Optional(Type.String()),
    BouncedAt: Type.Optional(Type.String()),
    Description: Type.Optional(Type.Unknown()),
    Details: Type.Optional(Type.Unknown()),
  }),
);

/** Bounce types that are final for a message; after the others, mail is still on its way or was delivered. */
const CLASSES: ReadonlyMap<string, 'hard' | 'soft'> = new Map([
  ['HardBounce', 'hard'],
  ['BadEmailAddress', 'hard'],
  ['SoftBounce', 'soft'],
  ['DnsError', 'soft'],
  ['Blocked', 'soft'],
  ['SpamNotification', 'soft'],
  ['VirusNotification', 'soft'],
  ['DMARCPolicy', 'soft'],
  ['Unknown', 'soft'],
]);

/** The signing key is `user:password`, which must be part of the URL entered in Postmark. */
export const postmark: MailProvider = {
  checkKey: (key) =>
    key === undefined || key.includes(':') ? null : 'must be user:password, for HTTP basic authentication',
  read(_platform, { headers, body, signingKey }) {
    const expected = `Basic ${Buffer.from(signingKey ?? '').toString('base64')}`;
    const credentials = headers.authorization ?? '';
    requireSigned(signingKey === null || digestsEqual(Buffer.from(credentials), Buffer.from(expected)));
    const notice = readNotice(body);
    const mailEvent = toMailEvent(notice);
    if (mailEvent === null || notice.Email === undefined) return [];
    // Postmark reports only its own Message-ID.
    const occurredAt = new Date(notice.BouncedAt ?? Number.NaN);
    return [{ recipient: notice.Email, messageId: null, occurredAt, event: mailEvent }];
  },
};

function toMailEvent({
  RecordType: recordType,
  Type: type = '',
  ...notice
}: ReturnType<typeof readNotice>): MailNotice['event'] | null {
  const detail = String(notice.Details || notice.Description || type);
  if (recordType === 'SpamComplaint' || type === 'SpamComplaint') return { type: 'complaint', detail };
  const providerClass = recordType === 'Bounce' ? CLASSES.get(type) : undefined;
  if (providerClass === undefined) return null;
  const bounce = toBounceEvent({ text: detail, providerClass });
  return providerClass === 'soft' ? { ...bounce, bounceClass: 'soft' } : bounce;
}
