/** What it means for a message that the relay did not take it. */
import { MOST_FAULTS as TRIES } from '../../../ledger/broken-attempts.ts';
import type { Claim, Outcome } from '../../../ledger/ledger.ts';
import { classifyBounce } from '../../../mail/bounces/classify.ts';
import { enhancedStatusIn } from '../../../mail/bounces/enhanced-status.ts';
import type { SendResult } from '../../../mail/transport.ts';
import type { LoadedTransmission, MessageNote } from './queries.ts';
import type { SendingPause } from './sending-pauses.ts';

/** A try that has come to nothing. */
export interface FailedTry {
  readonly claim: Pick<Claim, 'attempts' | 'faults'>;
  readonly transmission: Pick<LoadedTransmission, 'created_at' | 'scheduled_at'>;
  readonly renderedAt?: Date | undefined;
  readonly at: Date;
}

type NotSent = Exclude<SendResult, { kind: 'sent' }>;
type Refusal = Extract<SendResult, { kind: 'rejected' }>;

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
export function judge(failed: FailedTry, result: NotSent): Outcome<MessageNote> {
  if (result.kind === 'rejected' && result.refused === 'account')
    return judgeOutage(failed, `The relay refuses to send: ${result.answer}`);
  if (result.kind === 'rejected') return judgeRefusal(failed, result);
  if (!result.isBodyBegun) return judgeOutage(failed, `The relay could not be reached: ${result.error}`);
  // It may have taken the message each time, so the recipient must not get one after the other.
  return judgeFault(failed, `The relay did not say whether it took the message: ${result.error}`);
}

function waitSeconds(firstSeconds: number, tries: number): number {
  return firstSeconds * 2 ** (tries - 1);
}

/** Something went wrong with the message, and nobody said no to it. */
export function judgeFault({ claim, renderedAt, at }: FailedTry, error: string): Outcome<MessageNote> {
  const faults = claim.faults + 1;
  if (faults >= TRIES) return givenUp(error, { status: 'failed', rendered_at: renderedAt, ended_at: at });
  const dueAt = secondsAfter(at, waitSeconds(DEFERRED_SECONDS, faults));
  return { kind: 'retry', error, isFault: true, dueAt, note: { status: 'queued', rendered_at: renderedAt } };
}

/** The relay refuses what this sending is from or all that we send: it waits, which is no fault of the message. */
export function judgePause(
  { claim, at }: Pick<FailedTry, 'claim' | 'at'>,
  pause: SendingPause,
): Outcome<MessageNote> {
  const error = `The sending is paused: ${pause.reason}`;
  const longest = secondsAfter(at, longestWaitSeconds(claim.attempts + 1));
  // Not all at once when the pause is over.
  const spread = new Date(pause.until.getTime() + Math.random() * (pause.until.getTime() - at.getTime()));
  const dueAt = spread < longest ? spread : longest;
  return { kind: 'retry', error, dueAt, note: { status: 'queued' } };
}

/** True for a refusal that would meet any message: the relay is as good as away. */
export function isAboutAccount(result: SendResult): boolean {
  return result.kind === 'rejected' && result.refused === 'account';
}

/** The relay is away, or sends nothing of ours: no fault of the message. */
function judgeOutage(
  { claim, transmission, renderedAt, at }: FailedTry,
  error: string,
): Outcome<MessageNote> {
  const tries = claim.attempts - claim.faults + 1;
  const firstDue = new Date(transmission.scheduled_at ?? transmission.created_at);
  if (tries >= TRIES && at.getTime() - firstDue.getTime() >= GIVE_UP_SECONDS * 1000)
    return { kind: 'failed', error, note: { status: 'failed', rendered_at: renderedAt, ended_at: at } };
  const seconds = Math.min(waitSeconds(UNREACHED_SECONDS, tries), LONGEST_UNREACHED_SECONDS);
  return {
    kind: 'retry',
    error,
    dueAt: secondsAfter(at, seconds),
    note: { status: 'queued', rendered_at: renderedAt },
  };
}

/** The relay said no to the message, for good or for now. */
function judgeRefusal(failed: FailedTry, refusal: Refusal): Outcome<MessageNote> {
  const { claim, renderedAt, at } = failed;
  const { answer: error } = refusal;
  if (!refusal.permanent && claim.faults + 1 < TRIES) return judgeFault(failed, error);
  // The relay will not have this sender: no word about the recipient, so the message has failed and not bounced.
  if (refusal.refused === 'sender' || refusal.refused === 'address')
    return givenUp(error, { status: 'failed', rendered_at: renderedAt, ended_at: at });
  // The event makes it bounced, and suppresses the address where that is due.
  const event = {
    ...({ type: 'bounce', occurredAt: at } as const),
    ...{ bounceClass: bounceClassOf(refusal), detail: error },
  };
  return givenUp(error, { status: 'queued', rendered_at: renderedAt, ended_at: at, event });
}

function givenUp(error: string, note: MessageNote): Outcome<MessageNote> {
  return { kind: 'failed', error, isFault: true, note };
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
