import type { Model } from 'survey-core';
import type { SubmissionReceipt } from '../embed-protocol.ts';
import { createSender, leave, messagesOf, type SendingContext } from './sending.ts';

/** Puts the messages of the post-submit actions in the place of the form's own closing text. */
function showActionMessages(survey: Model, receipt: SubmissionReceipt): void {
  const messages = messagesOf(receipt);
  if (messages === null) return;
  survey.completedHtmlOnCondition = [];
  survey.completedHtml = messages;
}

/** Lets the form complete only after its answers were accepted. Until then it stays as it is. */
export function submitOnCompletion(survey: Model, context: SendingContext): void {
  const submit = createSender(context);
  // SurveyJS waits for the promise and keeps its buttons disabled meanwhile. A timer or a trigger can complete the form
  // again while its answers are on their way.
  survey.onCompleting.add(async (_survey, options) => {
    options.allow = false;
    const receipt = await submit();
    if (receipt === null) return;
    showActionMessages(survey, receipt);
    survey.onComplete.add(() => leave(context, receipt));
    options.allow = true;
  });
}
