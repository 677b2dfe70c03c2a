import type { Model } from 'survey-core';
import type { PageTexts } from '../../src/features/embed/page-texts.ts';
import { redirectTarget, type SubmissionReceipt } from '../embed-protocol.ts';
import { showIssues } from './issues.ts';
import type { Notices } from './notices.ts';
import type { ParentWindow } from './parent-window.ts';
import type { SubmissionOutcome } from './submission.ts';

/** What completing a form acts on. */
export interface CompletionContext {
  readonly survey: Model;
  /** Where the survey is drawn. */
  readonly container: HTMLElement;
  readonly notices: Notices;
  readonly texts: PageTexts;
  /** Null when the form is opened by itself. */
  readonly parent: ParentWindow | null;
  readonly emailQuestion: string | null;
  /** Sends the present answers; never rejects. */
  readonly send: () => Promise<SubmissionOutcome>;
}

function showRefusal(
  context: CompletionContext,
  outcome: Exclude<SubmissionOutcome, { kind: 'accepted' }>,
): void {
  const { survey, notices, texts } = context;
  if (outcome.kind === 'failed' || outcome.issues.length === 0) {
    notices.alert([outcome.message]);
    notices.focusAlert();
    return;
  }
  const { first, unplaced } = showIssues(survey, outcome.issues, context.emailQuestion);
  notices.alert(first === null ? unplaced : [texts.checkAnswers, ...unplaced]);
  // Opens the page of the question, too.
  if (first !== null) first.focus(true);
  else notices.focusAlert();
}

/** Puts the messages of the post-submit actions in the place of the form's own closing text. */
function showActionMessages(survey: Model, receipt: SubmissionReceipt): void {
  const messages = receipt.actions
    .filter((action) => action.type === 'show_message')
    .map((action) => action.html);
  const html = messages.filter((message) => typeof message === 'string' && message.trim() !== '').join('\n');
  if (html !== '') {
    survey.completedHtmlOnCondition = [];
    survey.completedHtml = html;
  }
}

/** What happens once the closing page is drawn: say so, tell the parent, follow a redirect. */
function leave({ container, notices, parent, texts }: CompletionContext, receipt: SubmissionReceipt): void {
  notices.announce(texts.sent);
  container.focus();
  parent?.complete(receipt);
  const target = redirectTarget(receipt.actions);
  if (target === null) return;
  if (parent === null) window.location.assign(target);
  // The script around the frame leads on; a plain frame has none, and leaves it to the visitor.
  else notices.offerLink(target, texts.continueLink);
}

/**
 * Lets the form complete only after its answers were accepted. Until then it stays as it is, locked while they are on
 * their way, so that they are neither lost nor sent twice.
 */
export function submitOnCompletion(context: CompletionContext): void {
  const { survey, container, notices, texts, send } = context;
  let isSending = false;

  const submit = async (): Promise<SubmissionOutcome> => {
    isSending = true;
    container.inert = true;
    notices.alert([]);
    notices.status(texts.sending);
    const outcome = await send();
    notices.status('');
    container.inert = false;
    isSending = false;
    return outcome;
  };

  // SurveyJS waits for the promise and keeps its buttons disabled meanwhile.
  survey.onCompleting.add(async (_survey, options) => {
    options.allow = false;
    // A timer or a trigger can complete the form again while its answers are on their way.
    if (isSending) return;
    const outcome = await submit();
    if (outcome.kind !== 'accepted') {
      showRefusal(context, outcome);
      return;
    }
    showActionMessages(survey, outcome.receipt);
    survey.onComplete.add(() => leave(context, outcome.receipt));
    options.allow = true;
  });
}
