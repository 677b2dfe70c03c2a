import { Model } from 'survey-core';
import type { EmbeddedForm } from '../../src/features/forms/embed/page-data.ts';
import { addedEmailQuestion } from './form-definition.ts';
import type { CollectedAnswers } from './submission.ts';

/**
 * Returns the answers as SurveyJS returns them on completion: without those of hidden questions and comments. It
 * completes a copy, so that the visitor's form keeps its answers if they are not accepted.
 */
export function collectAnswers(
  survey: Model,
  definition: EmbeddedForm['formBuilderOptions'],
  emailQuestion: string | null,
): CollectedAnswers {
  const copy = new Model(definition);
  copy.data = survey.data;
  copy.currentPageNo = survey.currentPageNo;
  copy.doComplete();
  const answers: Record<string, unknown> = { ...copy.data };
  copy.dispose();
  const added = addedEmailQuestion(emailQuestion);
  const ownKey = emailQuestion === null ? null : survey.getQuestionByName(emailQuestion)?.getValueName();
  const address = answers[added] ?? answers[ownKey ?? ''];
  delete answers[added];
  return { email_address: typeof address === 'string' ? address.trim() : '', form_data: answers };
}
