import type { Model, Question } from 'survey-core';
import { addedEmailQuestion } from './form-definition.ts';
import type { AnswerIssue } from './submission.ts';

/** The question a field path points at, or the one that holds it: a name itself may contain dots and brackets. */
function findQuestion(survey: Model, field: string): Question | null {
  for (let path = field; path !== ''; path = path.replace(/(?:^|[.[])[^.[]*$/, '')) {
    const question = survey.getQuestionByName(path);
    if (question) return question;
  }
  return null;
}

/** The question that the address came from: the one this page added, while it is shown, else the form's own. */
function addressQuestion(survey: Model, emailQuestion: string | null): string {
  const added = addedEmailQuestion(emailQuestion);
  return emailQuestion === null || survey.getQuestionByName(added)?.isVisible ? added : emailQuestion;
}

/** Paths may name the request's own fields: `email_address`, or `form_data` before a question's name. */
function questionOf(survey: Model, field: string, emailQuestion: string | null): Question | null {
  const name = field === 'email_address' ? addressQuestion(survey, emailQuestion) : field;
  return findQuestion(survey, name) ?? findQuestion(survey, name.replace(/^form_data\./, ''));
}

/** Where the issues of one attempt went. */
export interface ShownIssues {
  /** The first question, in the order of the form, that has an issue now. */
  readonly first: Question | null;
  /** Messages that belong to no visible question. */
  readonly unplaced: readonly string[];
}

/** Shows each issue at its question. */
export function showIssues(
  survey: Model,
  issues: readonly AnswerIssue[],
  emailQuestion: string | null,
): ShownIssues {
  if (survey.state === 'preview') survey.cancelPreview();
  const faulty = new Set<Question>();
  const unplaced: string[] = [];
  for (const { field, message } of issues) {
    const question = questionOf(survey, field, emailQuestion);
    if (question?.isVisible && question.isParentVisible) {
      question.addError(message);
      faulty.add(question);
    } else {
      unplaced.push(message);
    }
  }
  return { first: survey.getAllQuestions().find((question) => faulty.has(question)) ?? null, unplaced };
}
