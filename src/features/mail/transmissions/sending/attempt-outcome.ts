/** Decides the outcome of an attempt whose message the relay did not accept. */

import { classifyBounce } from '../../../../mail/bounces/classify.ts';
import { enhancedStatusIn } from '../../../../mail/bounces/enhanced-status.ts';
import type { SendResult } from '../../../../mail/transport.ts';
import { MAX_FAULTS as TRIES } from '../../../../work-queue/broken-attempts.ts';
import type { Claim } from '../../../../work-queue/claim.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import type { LoadedTransmission, MessageResult } from './queries.ts';
import type { SendingPause } from './sending-pauses.ts';

/** A failed attempt. */
export interface FailedAttempt {
  readonly claim: Pick<Claim, 'attempts' | 'faults'>;
  readonly transmission: Pick<LoadedTransmission, 'created_at' | 'scheduled_at'>;
  readonly renderedAt?: Date | undefined;
  readonly at: Date;
}

type UnsentResult = Exclude<SendResult, { kind: 'sent' }>;
type Rejection = Extract<SendResult, { kind: 'rejected' }>;

/** Delay before the first retry after a temporary rejection or no reply; doubled for each further retry. */
const DEFERRED_SECONDS = 300;
/** Delay before the first retry when the relay is unreachable, which is not caused by the message. */
const UNREACHABLE_SECONDS = 30;
const LONGEST_UNREACHABLE_SECONDS = 1800;
/** Time after its first due time at which a message fails if the relay is unreachable. */
const GIVE_UP_SECONDS = 24 * 3600;

/** Returns the longest delay before a retry after `tries` attempts, in seconds. */
export function longestWaitSeconds(tries: number): number {
  return waitSeconds(DEFERRED_SECONDS, Math.min(tries, TRIES - 1));
}

/** Returns the outcome for a result of the transport. */
export function outcomeOfResult(failed: FailedAttempt, result: UnsentResult): Outcome<MessageResult> {
  if (result.kind === 'rejected' && result.refused === 'account')
    return outcomeOfOutage(failed, `The relay refuses to send: ${result.reply}`);
  if (result.kind === 'rejected') return outcomeOfRejection(failed, result);
  if (!result.hasBodyStarted)
    return outcomeOfOutage(failed, `The relay could not be reached: ${result.error}`);
  // The relay may have accepted the message each time: limit the retries, so that the recipient gets few duplicates.
  return outcomeOfFault(failed, `The relay did not confirm the message: ${result.error}`);
}

function waitSeconds(firstSeconds: number, tries: number): number {
  return firstSeconds * 2 ** (tries - 1);
}

/** Returns the outcome of a fault, which counts against the message: a retry, or failure after the last try. */
export function outcomeOfFault(
  { claim, renderedAt, at }: FailedAttempt,
  error: string,
): Outcome<MessageResult> {
  const faults = claim.faults + 1;
  if (faults >= TRIES)
    return finalFailure(error, { status: 'failed', rendered_at: renderedAt, ended_at: at });
  const dueAt = secondsAfter(at, waitSeconds(DEFERRED_SECONDS, faults));
  return {
    kind: 'retry',
    error,
    isFault: true,
    dueAt,
    result: { status: 'queued', rendered_at: renderedAt },
  };
}

/** Returns the outcome of a message in a paused sending: a retry that does not count against the message. */
export function outcomeOfPause(
  { claim, at }: Pick<FailedAttempt, 'claim' | 'at'>,
  pause: SendingPause,
): Outcome<MessageResult> {
  const error = `Sending is paused: ${pause.reason}`;
  const longest = secondsAfter(at, longestWaitSeconds(claim.attempts + 1));
  // Spreads the messages over time after the pause.
  const spread = new Date(pause.until.getTime() + Math.random() * (pause.until.getTime() - at.getTime()));
  const dueAt = spread < longest ? spread : longest;
  return { kind: 'retry', error, dueAt, result: { status: 'queued' } };
}

/** True for a rejection that affects every message: it counts like an unreachable relay. */
export function isAboutAccount(result: SendResult): boolean {
  return result.kind === 'rejected' && result.refused === 'account';
}

/** Returns the outcome when the relay is unreachable or rejects the account: no fault of the message. */
function outcomeOfOutage(
  { claim, transmission, renderedAt, at }: FailedAttempt,
  error: string,
): Outcome<MessageResult> {
  const tries = claim.attempts - claim.faults + 1;
  const firstDue = new Date(transmission.scheduled_at ?? transmission.created_at);
  if (tries >= TRIES && at.getTime() - firstDue.getTime() >= GIVE_UP_SECONDS * 1000)
    return { kind: 'failed', error, result: { status: 'failed', rendered_at: renderedAt, ended_at: at } };
  const seconds = Math.min(waitSeconds(UNREACHABLE_SECONDS, tries), LONGEST_UNREACHABLE_SECONDS);
  return {
    kind: 'retry',
    error,
    dueAt: secondsAfter(at, seconds),
    result: { status: 'queued', rendered_at: renderedAt },
  };
}

/** Returns the outcome of a permanent or temporary rejection. */
function outcomeOfRejection(failed: FailedAttempt, rejection: Rejection): Outcome<MessageResult> {
  const { claim, renderedAt, at } = failed;
  const { reply: error } = rejection;
  if (!rejection.permanent && claim.faults + 1 < TRIES) return outcomeOfFault(failed, error);
  // The rejection says nothing about the recipient, so the message fails but does not bounce.
  if (rejection.refused === 'sender' || rejection.refused === 'address')
    return finalFailure(error, { status: 'failed', rendered_at: renderedAt, ended_at: at });
  // Recording the event sets the status to bounced and may suppress the address.
  const event = {
    type: 'bounce',
    occurredAt: at,
    bounceClass: bounceClassOf(rejection),
    detail: error,
  } as const;
  return finalFailure(error, { status: 'queued', rendered_at: renderedAt, ended_at: at, event });
}

function finalFailure(error: string, result: MessageResult): Outcome<MessageResult> {
  return { kind: 'failed', error, isFault: true, result };
}

/**
 * Classifies a rejection. Temporary rejections are soft. If the relay accepted the recipient but rejected the message,
 * its code says nothing about the address; only the words count.
 */
function bounceClassOf({ refused, permanent, code, reply }: Rejection): 'hard' | 'soft' {
  const isAboutMessage = refused === 'message' && permanent;
  const status = enhancedStatusIn(reply);
  return classifyBounce({ code: isAboutMessage ? null : code, status, text: reply }).bounceClass;
}

function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
