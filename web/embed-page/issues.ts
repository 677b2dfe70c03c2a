import type { Model, Question } from 'survey-core';
import { addedEmailQuestion } from './form-definition.ts';
import { findFaulty } from './issue-paths.ts';
import type { AnswerIssue } from './submission.ts';

/** Returns the name of the email question: the added one while it is visible, else the form's own. */
function addressQuestion(survey: Model, emailQuestion: string | null): string {
  const added = addedEmailQuestion(emailQuestion);
  return emailQuestion === null || survey.getQuestionByName(added)?.isVisible ? added : emailQuestion;
}

/** Placement of the issues of one attempt in a survey. */
export interface PlacedIssues {
  /** The first question in the form that has an issue. */
  readonly first: Question | null;
  /** Messages that belong to no visible question. */
  readonly unplaced: readonly string[];
}

/** Shows each issue at its question. */
export function showIssues(
  survey: Model,
  issues: readonly AnswerIssue[],
  emailQuestion: string | null,
): PlacedIssues {
  if (survey.state === 'preview') survey.cancelPreview();
  const address = addressQuestion(survey, emailQuestion);
  const faulty = new Set<Question>();
  const unplaced: string[] = [];
  for (const { field, message } of issues) {
    const question = findFaulty((name) => survey.getQuestionByName(name), field, address);
    if (question?.isVisible && question.isParentVisible) {
      question.addError(message);
      faulty.add(question);
    } else {
      unplaced.push(message);
    }
  }
  return { first: survey.getAllQuestions().find((question) => faulty.has(question)) ?? null, unplaced };
}
