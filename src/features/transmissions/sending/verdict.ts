/** What it means for a message that the relay did not take it. */
import type { Claim, Outcome } from '../../../ledger/ledger.ts';
import { classifyBounce } from '../../../mail/bounces/classify.ts';
import { enhancedStatusIn } from '../../../mail/bounces/enhanced-status.ts';
import type { SendResult } from '../../../mail/transport.ts';
import type { MessageEvent } from '../../email-tracking/index.ts';
import type { LoadedMessage, LoadedTransmission, MessageResult } from './queries.ts';

/** Whether and when a message is tried again, and what is noted of this try. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly result: MessageResult;
  readonly event?: MessageEvent;
}

/** A try that has come to nothing. */
export interface FailedTry {
  readonly claim: Claim;
  readonly message: Pick<LoadedMessage, 'refusals'>;
  readonly transmission: Pick<LoadedTransmission, 'created_at' | 'scheduled_at'>;
  readonly renderedAt: Date;
  readonly at: Date;
}

type NotSent = Exclude<SendResult, { kind: 'sent' }>;
type Refusal = Extract<SendResult, { kind: 'rejected' }>;

/** Of a message that is refused for now or left without an answer, and at least of one that could not be begun. */
const TRIES = 8;
/** Before the second try of a message that was refused for now or left unanswered; doubled for each further one. */
const DEFERRED_SECONDS = 300;
/** The same, when the relay could not be reached: that says nothing against the message. */
const UNREACHED_SECONDS = 30;
const LONGEST_UNREACHED_SECONDS = 1800;
/** How long after it was first due a message is given up for which the relay cannot be reached. */
const GIVE_UP_SECONDS = 24 * 3600;

/** The longest wait for another try after so many, seconds. */
export function longestWaitSeconds(tries: number): number {
  return waitSeconds(DEFERRED_SECONDS, Math.min(tries, TRIES - 1));
}

/** What follows from what the transport says. */
export function judge(failed: FailedTry, result: NotSent): Verdict {
  if (result.kind === 'rejected') return judgeRefusal(failed, result);
  return result.isBodyBegun ? judgeLostAnswer(failed, result.error) : judgeOutage(failed, result.error);
}

function waitSeconds(firstSeconds: number, tries: number): number {
  return firstSeconds * 2 ** (tries - 1);
}

/**
 * The message was on its way, and the relay did not say what became of it. It may have taken the message each time, so
 * the recipient must not get one after the other: this counts as a refusal.
 */
function judgeLostAnswer(failed: FailedTry, cause: string): Verdict {
  const { message, renderedAt, at } = failed;
  const error = `The relay did not say whether it took the message: ${cause}`;
  const refusals = message.refusals + 1;
  if (refusals < TRIES) {
    const dueAt = secondsAfter(at, waitSeconds(DEFERRED_SECONDS, refusals));
    const outcome = { kind: 'retry', statusCode: null, error, dueAt } as const;
    return { outcome, result: { status: 'queued', renderedAt, refusals } };
  }
  const outcome = { kind: 'failed', statusCode: null, error } as const;
  return { outcome, result: { status: 'failed', renderedAt, endedAt: at, refusals } };
}

/** The relay could not be reached. */
function judgeOutage(failed: FailedTry, cause: string): Verdict {
  const { claim, message, transmission, renderedAt, at } = failed;
  const error = `The relay could not be reached: ${cause}`;
  const tries = claim.attempts - message.refusals + 1;
  const firstDue = new Date(transmission.scheduled_at ?? transmission.created_at);
  if (tries >= TRIES && at.getTime() - firstDue.getTime() >= GIVE_UP_SECONDS * 1000) {
    const outcome = { kind: 'failed', statusCode: null, error } as const;
    return { outcome, result: { status: 'failed', renderedAt, endedAt: at } };
  }
  const seconds = Math.min(waitSeconds(UNREACHED_SECONDS, tries), LONGEST_UNREACHED_SECONDS);
  const outcome = { kind: 'retry', statusCode: null, error, dueAt: secondsAfter(at, seconds) } as const;
  return { outcome, result: { status: 'queued', renderedAt } };
}

/** The relay said no to the message, for good or for now. */
function judgeRefusal(failed: FailedTry, refusal: Refusal): Verdict {
  const { claim, message, renderedAt, at } = failed;
  const { code: statusCode, answer: error } = refusal;
  const refusals = message.refusals + 1;
  if (!refusal.permanent && refusals < TRIES) {
    const dueAt = secondsAfter(at, waitSeconds(DEFERRED_SECONDS, refusals));
    const outcome = { kind: 'retry', statusCode, error, dueAt } as const;
    return { outcome, result: { status: 'queued', renderedAt, refusals } };
  }
  const outcome = { kind: 'failed', statusCode, error } as const;
  // The relay will not have this sender: no word about the recipient, so the message has failed and not bounced.
  if (refusal.refused === 'sender')
    return { outcome, result: { status: 'failed', renderedAt, endedAt: at, refusals } };
  // The event makes it bounced, and suppresses the address where that is due.
  const event: MessageEvent = {
    ...{ tenantId: claim.tenantId, messageId: claim.id, occurredAt: at },
    ...{ type: 'bounce', bounceClass: bounceClassOf(refusal), detail: error },
  };
  return { outcome, result: { status: 'queued', renderedAt, endedAt: at, refusals }, event };
}

/**
 * Refused until the tries ran out is soft, whatever the words. A no to the message after a yes to the recipient says
 * something about the address only by its words: its code alone does not.
 */
function bounceClassOf({ refused, permanent, code, answer }: Refusal): 'hard' | 'soft' {
  const isAboutMessage = refused === 'message' && permanent;
  const status = enhancedStatusIn(answer);
  return classifyBounce({ code: isAboutMessage ? null : code, status, text: answer }).bounceClass;
}

function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
