import type { Model } from 'survey-core';
import type { SubmissionReceipt } from '../embed-protocol.ts';
import { createSender, leave, messagesOf, type SendingContext } from './sending.ts';

/** Replaces the form's own closing text by the messages of the post-submit actions. */
function showActionMessages(survey: Model, receipt: SubmissionReceipt): void {
  const messages = messagesOf(receipt);
  if (messages === null) return;
  survey.completedHtmlOnCondition = [];
  survey.completedHtml = messages;
}

/** Completes the form only after its answers were accepted. */
export function submitOnCompletion(survey: Model, context: SendingContext): void {
  const submit = createSender(context);
  // SurveyJS disables its buttons until the promise resolves. A timer or trigger can complete the form again during the
  // request.
  survey.onCompleting.add(async (_survey, options) => {
    options.allow = false;
    const receipt = await submit();
    if (receipt === null) return;
    showActionMessages(survey, receipt);
    survey.onComplete.add(() => leave(context, receipt));
    options.allow = true;
  });
}
