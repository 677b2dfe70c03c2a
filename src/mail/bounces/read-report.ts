/**
 * What a message to a bounce address says: a delivery status notification (RFC 3464), a feedback report (RFC 5965), a
 * bounce that follows no standard, an automatic answer, or a person's own words.
 */
import { classifyBounce, type Refusal } from './classify.ts';
import { readUnstructuredComplaint } from './complaints.ts';
import { enhancedStatusIn } from './enhanced-status.ts';
import { type MimePart, type ReadMessage, readFields, readMessage } from './mime-parts.ts';
import { plainKindOf } from './plain-reports.ts';

/** What was read. */
export type MailReport =
  /** The message did not arrive and will not. */
  | {
      readonly kind: 'bounce';
      readonly bounceClass: 'hard' | 'soft';
      /** True if the refusal was about us and not about the recipient. */
      readonly isAboutSender: boolean;
      readonly reason: string;
    }
  /** The recipient complains; `original` is what the report shows of the message, its headers at least. */
  | { readonly kind: 'complaint'; readonly feedbackType: string; readonly original: string }
  | { readonly kind: 'unsubscribe-request'; readonly original: string }
  /** The message was delayed or delivered: nothing follows. */
  | { readonly kind: 'notice' }
  /** A machine wrote it, such as an absence notice. */
  | { readonly kind: 'answer' }
  /** Nothing that a machine is known to write. */
  | { readonly kind: 'other' };

const MAX_REASON = 500;
/** How much of a text is looked at for the reason of a bounce. */
const MAX_TEXT = 20_000;

/** Where bounces that are plain text begin to show the original message, whose words say nothing about the reason. */
const ORIGINAL_FOLLOWS =
  /^(?:[-_=* ]{2,}(?:this is a copy|below this line|original message|begin message|copy of|unsent message|returned message|the header|the following is|transcript of message|start of)|--- (?:enclosed|below)|(?:return-path|received|dkim-signature): |message header|original message headers?)/im;

/**
 * Reads a message that was sent to one of our addresses.
 * @param isFromNobody whether the envelope's sender was empty, as it is for notifications (RFC 5321 section 4.5.5).
 */
export function readReport(raw: Buffer, isFromNobody: boolean): MailReport {
  const message = readMessage(raw);
  const feedback = message.parts.find(({ type }) => type === 'message/feedback-report');
  if (feedback) return readFeedback(feedback, message);
  const complaint = readUnstructuredComplaint(message);
  if (complaint !== null) return complaint;
  // A receipt tells what somebody did with a message that has arrived (RFC 8098).
  if (message.parts.some(({ type }) => /^message\/(?:global-)?disposition-notification$/.test(type)))
    return { kind: 'answer' };
  const status = message.parts.find(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
  if (status) return readDeliveryStatus(status, message);
  return readPlain(message, isFromNobody);
}

/** RFC 5965; `not-spam` and reports about authentication (RFC 6591) are no complaints. */
function readFeedback(part: MimePart, { parts }: ReadMessage): MailReport {
  const fields = readFields(part.text);
  const feedbackType = (fields.get('feedback-type') ?? 'abuse').toLowerCase();
  const attached = parts.filter(({ type }) =>
    /^(?:message\/(?:global|rfc822)|text\/rfc822-headers)/.test(type),
  );
  const original = [part, ...attached].map(({ text }) => text.slice(0, MAX_TEXT)).join('\n');
  if (feedbackType === 'opt-out') return { kind: 'unsubscribe-request', original };
  if (feedbackType !== 'abuse' && feedbackType !== 'fraud' && feedbackType !== 'complaint')
    return { kind: 'notice' };
  return { kind: 'complaint', feedbackType, original };
}

/** RFC 3464: a block about the message, then one for each recipient. Ours have one; of more the worst counts. */
function readDeliveryStatus(part: MimePart, message: ReadMessage): MailReport {
  const blocks = part.text.split(/\r?\n\r?\n+/).map(readFields);
  const recipients = blocks.filter((block) => block.has('action') || block.has('status'));
  const failed = recipients.filter((block) => isFailure(block));
  if (failed.length === 0) return recipients.length > 0 ? { kind: 'notice' } : readPlain(message, true);
  const words = textOf(message);
  const bounces = failed.map((block) => {
    const diagnostic = (block.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '');
    // A status that tells nothing but success or failure is made up by the reporter; what it quotes tells more.
    const own = enhancedStatusIn(block.get('status') ?? '');
    const quoted = enhancedStatusIn(diagnostic);
    const status = own === null || /^[45]\.0\.0$/.test(own) ? (quoted ?? own) : own;
    const text = diagnostic === '' ? words : diagnostic.slice(0, MAX_TEXT);
    return toBounce({ code: null, status, text });
  });
  return bounces.find(({ bounceClass }) => bounceClass === 'hard') ?? bounces[0] ?? { kind: 'notice' };
}

function isFailure(block: ReadonlyMap<string, string>): boolean {
  const action = (block.get('action') ?? '').toLowerCase();
  if (action !== '') return action.startsWith('failed') || action.startsWith('failure');
  return /^5\./.test(block.get('status') ?? '');
}

/** Bounces of qmail, old Exim and Exchange, and of relays that write what they like. */
function readPlain(message: ReadMessage, isFromNobody: boolean): MailReport {
  const text = textOf(message);
  switch (plainKindOf(message.headers, text, isFromNobody)) {
    case 'bounce':
      return toBounce({ code: null, status: enhancedStatusIn(text), text });
    case 'answer':
      return { kind: 'answer' };
    case 'other':
      return { kind: 'other' };
  }
}

function toBounce(refusal: Refusal): MailReport & { kind: 'bounce' } {
  const { bounceClass, isAboutSender } = classifyBounce(refusal);
  const words = refusal.text.replace(/\s+/g, ' ').trim();
  const isTold = refusal.status !== null && words.includes(refusal.status);
  const reason = isTold || refusal.status === null ? words : `${refusal.status} ${words}`;
  return {
    kind: 'bounce',
    ...{ bounceClass, isAboutSender },
    reason: reason.trim().slice(0, MAX_REASON) || 'no reason given',
  };
}

/** What a person would read, up to where the original message begins. */
function textOf({ parts }: ReadMessage): string {
  const readable = parts.filter(({ type }) => type === 'text/plain');
  const chosen = readable.length > 0 ? readable : parts.filter(({ type }) => type === 'text/html');
  const text = chosen
    .map((part) => (part.type === 'text/html' ? withoutTags(part.text) : part.text))
    .join('\n');
  const shown = text.slice(0, MAX_TEXT);
  const end = ORIGINAL_FOLLOWS.exec(shown)?.index;
  return end === undefined ? shown : shown.slice(0, end);
}

function withoutTags(html: string): string {
  return html
    .slice(0, MAX_TEXT * 4)
    .replace(/<(style|script)\b[^<]*<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ');
}
