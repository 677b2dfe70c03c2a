/**
 * Reads a message to a bounce address: a delivery status notification (RFC 3464), a feedback report (RFC 5965), a
 * non-standard bounce, an automatic reply, or a message written by a person.
 */
import { classifyBounce, type Rejection } from './classify.ts';
import { readUnstructuredComplaint } from './complaints.ts';
import { enhancedStatusIn } from './enhanced-status.ts';
import { type MimePart, type ParsedMessage, parseFields, parseMessage } from './mime-parts.ts';
import { isFromServer, plainMailKind } from './plain-reports.ts';

/** The event that a mail reports. */
export type MailReport =
  /** The message did not arrive and is not retried. */
  | {
      readonly kind: 'bounce';
      readonly bounceClass: 'hard' | 'soft';
      /** True if the rejection concerns the sender and not the recipient. */
      readonly isAboutSender: boolean;
      /** True if the headers or a delivery status show that a mail server wrote it. */
      readonly isFromServer: boolean;
      readonly reason: string;
    }
  /** The recipient complained; `original` is the quoted message, at least its headers. */
  | { readonly kind: 'complaint'; readonly feedbackType: string; readonly original: string }
  | { readonly kind: 'unsubscribe-request'; readonly original: string }
  /** A report that needs no action: the message was delayed or delivered, or is not spam. */
  | { readonly kind: 'informational' }
  /** An automatic reply, such as an absence notice, a read receipt, or a reply to a report. */
  | { readonly kind: 'reply' }
  /** Any other mail. */
  | { readonly kind: 'other' };

const MAX_REASON = 500;
/** Characters of a text that are searched for the reason of a bounce. */
const MAX_TEXT = 20_000;

/** Start of the original message in a plain-text bounce; the text after it is ignored. */
const ORIGINAL_FOLLOWS =
  /^(?:[-_=* ]{2,}(?:this is a copy|below this line|original message|begin message|copy of|unsent message|returned message|the header|the following is|transcript of message|start of)|--- (?:enclosed|below)|(?:return-path|received|dkim-signature): |message header|original message headers?)/im;

/**
 * Reads a message that was sent to one of our addresses.
 * @param hasNullSender true if the envelope sender was empty, as for notifications (RFC 5321 section 4.5.5).
 */
export function readReport(raw: Buffer, hasNullSender: boolean): MailReport {
  const message = parseMessage(raw);
  const feedback = message.parts.find(({ type }) => type === 'message/feedback-report');
  if (feedback) return readFeedback(feedback, message);
  const complaint = readUnstructuredComplaint(message);
  if (complaint !== null) return complaint;
  // A read receipt is about a delivered message (RFC 8098).
  if (message.parts.some(({ type }) => /^message\/(?:global-)?disposition-notification$/.test(type)))
    return { kind: 'reply' };
  const status = message.parts.find(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
  if (status) return readDeliveryStatus(status, message);
  const inlineStatus = statusInText(message);
  if (inlineStatus !== null) return readDeliveryStatus(inlineStatus, message);
  return readPlain(message, hasNullSender);
}

/** Reads a feedback report (RFC 5965). `not-spam` and authentication reports (RFC 6591) are not complaints. */
function readFeedback(part: MimePart, { parts }: ParsedMessage): MailReport {
  const fields = parseFields(part.text);
  const feedbackType = (fields.get('feedback-type') ?? 'abuse').toLowerCase();
  const attached = parts.filter(({ type }) =>
    /^(?:message\/(?:global|rfc822)|text\/rfc822-headers)/.test(type),
  );
  const original = [part, ...attached].map(({ text }) => text.slice(0, MAX_TEXT)).join('\n');
  if (feedbackType === 'opt-out') return { kind: 'unsubscribe-request', original };
  if (feedbackType !== 'abuse' && feedbackType !== 'fraud' && feedbackType !== 'complaint')
    return { kind: 'informational' };
  return { kind: 'complaint', feedbackType, original };
}

/**
 * Reads a delivery status (RFC 3464): a block about the message, then one per recipient. Our messages have one
 * recipient, but if there are several blocks, the first hard bounce counts.
 */
function readDeliveryStatus(part: MimePart, message: ParsedMessage): MailReport {
  const blocks = part.text.split(/\r?\n\r?\n+/).map(parseFields);
  const recipients = blocks.filter((block) => block.has('action') || block.has('status'));
  const failed = recipients.filter((block) => isFailure(block));
  if (failed.length === 0)
    return recipients.length > 0 ? { kind: 'informational' } : readPlain(message, true);
  const words = textOf(message);
  const bounces = failed.map((block) => {
    const diagnostic = (block.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '');
    const text = diagnostic === '' ? words : diagnostic.slice(0, MAX_TEXT);
    // x.0.0 is often a guess, and the status in the quoted reply is more precise. Gmail gives 4.0.0 for unknown
    // domains.
    const reported = enhancedStatusIn(block.get('status') ?? '');
    const ownStatus = reported === '4.0.0' && reportsUnknownDomain(text) ? null : reported;
    const quoted = enhancedStatusIn(diagnostic);
    const status = ownStatus === null || ownStatus === '5.0.0' ? (quoted ?? ownStatus) : ownStatus;
    return toBounce({ code: null, status, text }, true);
  });
  return bounces.find(({ bounceClass }) => bounceClass === 'hard') ?? bounces[0] ?? { kind: 'informational' };
}

function reportsUnknownDomain(text: string): boolean {
  return classifyBounce({ code: null, status: null, text }).kind === 'no_domain';
}

function isFailure(block: ReadonlyMap<string, string>): boolean {
  const action = (block.get('action') ?? '').toLowerCase();
  if (action !== '') return action.startsWith('failed') || action.startsWith('failure');
  return /^5\./.test(block.get('status') ?? '');
}

/** The required fields of one recipient's status. */
const STATUS_FIELDS = /^final-recipient:[^\n]{0,500}\n(?:[^\n]{1,500}\n){0,4}?action:/im;

/** Returns the delivery status in the text of a report whose parts were lost, or in a part of another type. */
function statusInText({ headers, parts }: ParsedMessage): MimePart | null {
  if (!/multipart\/report/i.test(headers.get('content-type') ?? '')) return null;
  return (
    parts.find(({ type, text }) => /^text\/|^application\//.test(type) && STATUS_FIELDS.test(text)) ?? null
  );
}

/** Reads bounces without a delivery status: qmail, old Exim and Exchange, and other relays. */
function readPlain(message: ParsedMessage, hasNullSender: boolean): MailReport {
  const text = textOf(message);
  switch (plainMailKind(message.headers, text, hasNullSender)) {
    case 'bounce':
      return toBounce({ code: null, status: enhancedStatusIn(text), text }, isFromServer(message.headers));
    case 'reply':
      return { kind: 'reply' };
    case 'other':
      return { kind: 'other' };
  }
}

function toBounce(rejection: Rejection, isFromMailServer: boolean): MailReport & { kind: 'bounce' } {
  const { bounceClass, isAboutSender } = classifyBounce(rejection);
  const words = rejection.text.replace(/\s+/g, ' ').trim();
  const { status } = rejection;
  const reason = status === null || words.includes(status) ? words : `${status} ${words}`;
  return {
    kind: 'bounce',
    bounceClass,
    isAboutSender,
    isFromServer: isFromMailServer,
    reason: reason.trim().slice(0, MAX_REASON) || 'no reason given',
  };
}

/** Returns the readable text before the original message. */
function textOf({ parts }: ParsedMessage): string {
  const readable = parts.filter(({ type }) => type === 'text/plain');
  const textParts = readable.length > 0 ? readable : parts.filter(({ type }) => type === 'text/html');
  const text = textParts
    .map((part) => (part.type === 'text/html' ? withoutTags(part.text) : part.text))
    .join('\n');
  const start = text.slice(0, MAX_TEXT);
  const end = ORIGINAL_FOLLOWS.exec(start)?.index;
  return end === undefined ? start : start.slice(0, end);
}

function withoutTags(html: string): string {
  return html
    .slice(0, MAX_TEXT * 4)
    .replace(/<(style|script)\b[^<]*<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ');
}
