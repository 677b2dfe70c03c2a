import type { PageTexts } from '../../src/features/forms/embed/page-texts.ts';
import { redirectTarget, type SubmissionReceipt } from '../embed-protocol.ts';
import type { Notices } from './notices.ts';
import type { ParentWindow } from './parent-window.ts';
import type { AnswerIssue, SubmissionOutcome } from './submission.ts';

/** Placement of the issues of one attempt. */
export interface ShownIssues {
  /** The first question in the form that has an issue. */
  readonly first: { focus(): void } | null;
  /** Messages that belong to no visible question. */
  readonly unplaced: readonly string[];
}

/** Parts of the page that change when answers are sent. */
export interface SendingContext {
  /** Element with the form. */
  readonly container: HTMLElement;
  readonly notices: Notices;
  readonly texts: PageTexts;
  /** Null if the form is not embedded. */
  readonly parent: ParentWindow | null;
  /** Sends the current answers; never rejects. */
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
  // Also opens the page of the question.
  if (first !== null) first.focus();
  else notices.focusAlert();
}

/**
 * Returns a function that sends the answers and returns the receipt. It returns null, and the page shows why, if the
 * service rejects them; it also returns null while an earlier request is running. The form is locked during a request,
 * so that answers are neither lost nor sent twice.
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

/** Returns the messages of the post-submit actions as HTML; null if there are none. */
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
  // The embedding script follows the redirect. A plain frame has none, so the visitor gets a link.
  else notices.offerLink(target, texts.continueLink);
}
