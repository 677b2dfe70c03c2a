import type { PageTexts } from '../../src/features/forms/embed/page-texts.ts';
import { redirectTarget, type SubmissionReceipt } from '../embed-protocol.ts';
import type { Notices } from './notices.ts';
import type { ParentWindow } from './parent-window.ts';
import type { AnswerIssue, SubmissionOutcome } from './submission.ts';

/** Where the issues of one attempt went. */
export interface ShownIssues {
  /** The first question, in the order of the form, that has an issue now. */
  readonly first: { focus(): void } | null;
  /** Messages that belong to no visible question. */
  readonly unplaced: readonly string[];
}

/** Parts of the page that sending the answers changes. */
export interface SendingContext {
  /** Element with the form. */
  readonly container: HTMLElement;
  readonly notices: Notices;
  readonly texts: PageTexts;
  /** Null when the form is opened by itself. */
  readonly parent: ParentWindow | null;
  /** Sends the present answers; never rejects. */
  readonly send: () => Promise<SubmissionOutcome>;
  /** Shows each issue at its question. */
  readonly showIssues: (issues: readonly AnswerIssue[]) => ShownIssues;
}

function showRefusal(
  { notices, texts, showIssues }: SendingContext,
  outcome: Exclude<SubmissionOutcome, { kind: 'accepted' }>,
): void {
  if (outcome.kind === 'failed' || outcome.issues.length === 0) {
    notices.alert([outcome.message]);
    notices.focusAlert();
    return;
  }
  const { first, unplaced } = showIssues(outcome.issues);
  notices.alert(first === null ? unplaced : [texts.checkAnswers, ...unplaced]);
  // Opens the page of the question, too.
  if (first !== null) first.focus();
  else notices.focusAlert();
}

/**
 * Sends the answers and gives the receipt; null when they were not accepted, which the page says then, or while others
 * are on their way. Meanwhile the form is locked, so that answers are neither lost nor sent twice.
 */
export function createSender(context: SendingContext): () => Promise<SubmissionReceipt | null> {
  const { container, notices, texts, send } = context;
  let isSending = false;
  return async () => {
    if (isSending) return null;
    isSending = true;
    container.inert = true;
    notices.alert([]);
    notices.status(texts.sending);
    const outcome = await send();
    notices.status('');
    container.inert = false;
    isSending = false;
    if (outcome.kind === 'accepted') return outcome.receipt;
    showRefusal(context, outcome);
    return null;
  };
}

/** The messages of the post-submit actions as HTML; null when there are none. */
export function messagesOf({ actions }: SubmissionReceipt): string | null {
  const messages = actions.filter(({ type }) => type === 'show_message').map(({ html }) => html);
  const shown = messages.filter((message) => typeof message === 'string' && message.trim() !== '');
  return shown.length === 0 ? null : shown.join('\n');
}

/** Runs after the closing page is rendered: announces it, notifies the parent page, follows a redirect. */
export function leave(
  { container, notices, parent, texts }: SendingContext,
  receipt: SubmissionReceipt,
): void {
  notices.announce(texts.sent);
  container.focus();
  parent?.complete(receipt);
  const target = redirectTarget(receipt.actions);
  if (target === null) return;
  if (parent === null) window.location.assign(target);
  // The script around the frame leads on; a plain frame has none, and leaves it to the visitor.
  else notices.offerLink(target, texts.continueLink);
}
