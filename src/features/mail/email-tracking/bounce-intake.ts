/**
 * Turns mail to our own addresses into events of the messages it is about
 * (docs/specification/email-events.md#bounces-and-complaints).
 */
import { type MailReport, readReport } from '../../../mail/bounces/read-report.ts';
import {
  type BounceReceiver,
  type ReceivedMail,
  startBounceReceiver,
} from '../../../mail/bounces/receiver.ts';
import type { MessageRef } from '../../../mail/message-token.ts';
import { parseBounceAddress, unquotedLocalPart } from '../../../mail/verp.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { UNSUBSCRIBE_START } from './links.ts';
import { type MessageEvent, recordMessageEvents } from './message-events.ts';
import { readTrackingToken } from './tracking-tokens.ts';

/** Addresses registered with mailbox providers for feedback reports; they identify no message. */
const FEEDBACK_ADDRESS = /^(?:feedback|fbl|complaints?|abuse)@/i;
const SIGNED_ADDRESS = /[^\s<>"';,:]{1,64}@[a-z0-9.-]{1,255}/gi;
const UNSUBSCRIBE_LINK = /\/u\/([\w-]{64})(?![\w-])/g;

/**
 * The receiver of this process, listening on BOUNCE_SMTP_PORT; null if none is configured, or if this is a worker and
 * another process on this machine uses the port.
 */
export const bounceReceiver = oncePerPlatform(async (platform: Platform): Promise<BounceReceiver | null> => {
  const { role, host, bounceSmtpPort: port } = platform.config;
  if (role === 'api' || port === null) return null;
  const onError = (error: unknown) =>
    platform.observe({ event: 'background.failed', task: 'receive a bounce', error });
  try {
    const accepts = (address: string) =>
      FEEDBACK_ADDRESS.test(address) || parseBounceAddress(platform, address) !== null;
    const record = (mail: ReceivedMail) => recordMessageEvents(platform, eventsOf(platform, mail));
    const receiver = await startBounceReceiver({ host, port, accepts, record, onError });
    platform.onClose(() => receiver.close());
    return receiver;
  } catch (error) {
    const isPortInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (role === 'worker' && isPortInUse) {
      onError(error);
      return null;
    }
    throw new Error(`Cannot listen on BOUNCE_SMTP_PORT ${port}.`, { cause: error });
  }
});

/** Returns the message events that a mail reports. Only signed addresses and links identify a message. */
export function eventsOf(
  platform: Platform,
  { recipients, hasNullSender, raw }: ReceivedMail,
): MessageEvent[] {
  const report = readReport(raw, hasNullSender);
  const occurredAt = platform.clock();
  return recipients.flatMap((address) => {
    const subject = parseBounceAddress(platform, address) ?? subjectOf(platform, report);
    const facts = subject === null ? null : factsOf(report, address);
    return subject === null || facts === null ? [] : [{ ...subject, ...facts, occurredAt }];
  });
}

function factsOf(
  report: MailReport,
  address: string,
): Pick<MessageEvent, 'type' | 'bounceClass' | 'isAboutSender' | 'detail'> | null {
  const isRequested = unquotedLocalPart(address).toLowerCase().startsWith(`${UNSUBSCRIBE_START}+`);
  const request = isRequested ? ({ type: 'unsubscribe', detail: 'Unsubscribed by email.' } as const) : null;
  switch (report.kind) {
    case 'bounce':
      // An unsubscribe request may quote words of a bounce, and be sent without an envelope sender.
      if (request !== null && !report.isFromServer) return request;
      return {
        type: 'bounce',
        bounceClass: report.bounceClass,
        isAboutSender: report.isAboutSender,
        detail: report.reason,
      };
    case 'complaint':
      return { type: 'complaint', detail: report.feedbackType };
    case 'unsubscribe-request':
      return { type: 'unsubscribe', detail: 'Unsubscribed by a feedback report.' };
    // Apple Mail and others send unsubscribe requests automatically and mark them as such.
    case 'reply':
    case 'other':
      return request;
    case 'informational':
      return null;
  }
}

/** Returns the message quoted in a feedback report, identified by its envelope sender or unsubscribe link. */
function subjectOf(platform: Platform, report: MailReport): MessageRef | null {
  if (report.kind !== 'complaint' && report.kind !== 'unsubscribe-request') return null;
  const original = report.original.replace(/=\r?\n/g, '');
  for (const [address] of original.matchAll(SIGNED_ADDRESS)) {
    const subject = parseBounceAddress(platform, address);
    if (subject !== null) return subject;
  }
  for (const [, token = ''] of original.matchAll(UNSUBSCRIBE_LINK)) {
    const claims = readTrackingToken(platform, 'unsubscribe', token);
    if (claims !== null) return { tenantId: claims.tenantId, messageId: claims.messageId };
  }
  return null;
}
