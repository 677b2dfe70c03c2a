/** Amazon SES: feedback notifications and events that SNS posts and signs. */
import Type, { type Static } from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { invalidRequest } from '../../../../errors/platform-errors.ts';
import { parseJsonBody } from '../../../../http/json-body.ts';
import { parseBounceAddress } from '../../../../mail/verp.ts';
import type { Platform } from '../../../../platform.ts';
import type { MailNotice } from '../../email-tracking/index.ts';
import { PROVIDER_UNREACHABLE } from '../errors.ts';
import { type MailProvider, requireSigned, shapeReader, toBounceEvent } from './provider.ts';
import { isSignedBySns, isSnsUrl, SnsMessage } from './sns-message.ts';

const Recipient = Type.Object({
  emailAddress: Type.String(),
  diagnosticCode: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.String()),
});
const SesNotice = Type.Object({
  notificationType: Type.Optional(Type.String()),
  /** The name of the field in events published by a configuration set. */
  eventType: Type.Optional(Type.String()),
  mail: Type.Object({
    source: Type.Optional(Type.String()),
    headers: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
  }),
  bounce: Type.Optional(
    Type.Object({
      bounceType: Type.String(),
      bounceSubType: Type.Optional(Type.String()),
      bouncedRecipients: Type.Array(Recipient),
      timestamp: Type.String(),
    }),
  ),
  complaint: Type.Optional(
    Type.Object({
      complainedRecipients: Type.Array(Recipient),
      complaintFeedbackType: Type.Optional(Type.Unknown()),
      timestamp: Type.String(),
    }),
  ),
});
const readMessage = shapeReader(SnsMessage);
const readNotice = shapeReader(SesNotice);
type SesNotice = ReturnType<typeof readNotice>;

/** The signing key is the topic's ARN, so that messages of other topics are rejected, whoever owns them. */
export const ses: MailProvider = {
  checkKey: (key) =>
    key === undefined || key.startsWith('arn:') ? null : 'must be the ARN of the topic, or omitted',
  async read(platform, { body, signingKey }) {
    const message = readMessage(body);
    const isFromTopic = signingKey === null || signingKey === message.TopicArn;
    requireSigned(isFromTopic && (await isSignedBySns(platform, message)));
    if (message.Type === 'SubscriptionConfirmation') await confirm(platform, message);
    if (message.Type !== 'Notification') return [];
    // SES sends a plain text to a new topic.
    if (!message.Message.startsWith('{')) return [];
    return toMailNotices(platform, readNotice(parseJsonBody(Buffer.from(message.Message))));
  },
};

/** Confirms the subscription to SNS. @throws AppError PROVIDER_UNREACHABLE or INVALID_REQUEST. */
async function confirm({ outbound }: Platform, { SubscribeURL: url = '' }: SnsMessage): Promise<void> {
  if (!isSnsUrl(url)) throw invalidRequest([{ field: 'SubscribeURL', message: 'must be an SNS URL' }]);
  const answer = await outbound.send({ url, method: 'GET', headers: {} });
  if (!answer.ok || answer.status !== 200)
    throw new AppError(PROVIDER_UNREACHABLE, { cause: answer.ok ? answer.status : answer.error });
}

function toMailNotices(platform: Platform, notice: SesNotice): MailNotice[] {
  const { bounce, complaint } = notice;
  const kind = notice.notificationType ?? notice.eventType;
  const messageId = messageIdOf(platform, notice);
  if (kind === 'Bounce' && bounce !== undefined) {
    const occurredAt = new Date(bounce.timestamp);
    return bounce.bouncedRecipients.map((recipient) => ({
      ...{ recipient: recipient.emailAddress, messageId, occurredAt },
      event: bounceEvent(bounce, recipient),
    }));
  }
  if (kind === 'Complaint' && complaint !== undefined && complaint.complaintFeedbackType !== 'not-spam') {
    const occurredAt = new Date(complaint.timestamp);
    const detail = String(complaint.complaintFeedbackType ?? '');
    return complaint.complainedRecipients.map(({ emailAddress: recipient }) => {
      return { recipient, messageId, occurredAt, event: { type: 'complaint', detail } };
    });
  }
  return [];
}

/** Subtypes of mail that SES did not send, because the address had bounced before. */
const SUPPRESSED = new Set(['Suppressed', 'OnAccountSuppressionList']);

function bounceEvent(
  { bounceType, bounceSubType = '' }: NonNullable<SesNotice['bounce']>,
  { diagnosticCode, status }: Static<typeof Recipient>,
): MailNotice['event'] {
  const providerClass = bounceType === 'Permanent' ? 'hard' : 'soft';
  const text = String(diagnosticCode || `${bounceType} ${bounceSubType}`);
  if (providerClass === 'hard' && SUPPRESSED.has(bounceSubType))
    return { type: 'bounce', bounceClass: 'hard', detail: text };
  const bounce = toBounceEvent({ text, status: status ?? null, providerClass });
  return providerClass === 'soft' ? { ...bounce, bounceClass: 'soft' } : bounce;
}

/** Returns the message's id from our own header, else from its envelope sender; SES omits headers by default. */
function messageIdOf(platform: Platform, { mail: { headers, source = '' } }: SesNotice): string | null {
  const ownHeader = headers?.find(({ name }) => name.toLowerCase() === 'x-tessera-message');
  const bySender = parseBounceAddress(platform, source)?.messageId;
  return ownHeader?.value ?? bySender ?? (headers === undefined ? null : '');
}
