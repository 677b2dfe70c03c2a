import { Members, NotPlainError } from './members.ts';
import { type PlainQuestion, readQuestion } from './read-question.ts';
import type { ScriptForm } from './script-form.ts';
import { surveyTextsIn } from './survey-texts.ts';

/** A page of a plain form. */
export interface PlainPage {
  readonly title: string;
  readonly description: string;
  readonly questions: readonly PlainQuestion[];
}

/** A form that the page shows and runs without SurveyJS, with all texts in one language. */
export interface PlainForm {
  readonly title: string;
  readonly description: string;
  readonly pages: readonly PlainPage[];
  readonly buttons: { readonly previous: string; readonly next: string; readonly complete: string };
  /** HTML of the form's own completion text; null for the page's default. */
  readonly completedHtml: string | null;
  readonly emailQuestion: string;
  readonly isEmailAdded: boolean;
}

/** Input for reading a form. */
export interface PlainFormInput {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly locale: string;
  /** The form's own email question; if null, the page adds one. */
  readonly emailQuestion: string | null;
  /** Title of the question that the page adds. */
  readonly emailTitle: string;
}

/** Settings, with the values for which a plain form looks and behaves as in SurveyJS. */
const ALLOWED_SETTINGS: Readonly<Record<string, readonly unknown[]>> = {
  logoPosition: ['left', 'right', 'top', 'bottom', 'none'],
  showProgressBar: [false, 'off', 'none'],
  showQuestionNumbers: [false, 'off'],
  showTitle: [true],
  showPageTitles: [true],
  showPrevButton: [true],
  checkErrorsMode: ['onNextPage'],
  textUpdateMode: ['onBlur'],
  questionErrorLocation: ['top'],
  widthMode: ['auto'],
};

function addedQuestion(input: PlainFormInput): Record<string, unknown> {
  return {
    type: 'text',
    name: 'email_address',
    title: input.emailTitle,
    inputType: 'email',
    autocomplete: 'email',
    isRequired: true,
  };
}

function read(input: PlainFormInput): PlainForm {
  const { definition, locale, emailQuestion } = input;
  const surveyText = surveyTextsIn(locale);
  const members = new Members(definition, locale);
  members.string('locale');
  for (const [name, values] of Object.entries(ALLOWED_SETTINGS)) members.allow(name, ...values);
  const pages = members.list('pages').map((page): PlainPage => {
    page.string('name');
    page.allow('visible', true);
    const [title, description] = [page.text('title'), page.text('description')];
    const questions = page
      .list('elements')
      .map((element) => readQuestion(element, { surveyText, emailQuestion }));
    page.requireAllRead();
    return { title, description, questions };
  });
  const added =
    emailQuestion === null
      ? [readQuestion(members.nested(addedQuestion(input)), { surveyText, emailQuestion })]
      : [];
  const last = pages.length - 1;
  const form: PlainForm = {
    title: members.text('title'),
    description: members.text('description'),
    pages: pages.map((page, index) =>
      index === last ? { ...page, questions: [...page.questions, ...added] } : page,
    ),
    buttons: {
      previous: members.text('pagePrevText') || surveyText('pagePrevText'),
      next: members.text('pageNextText') || surveyText('pageNextText'),
      complete: members.text('completeText') || surveyText('completeText'),
    },
    completedHtml: members.text('completedHtml') || null,
    emailQuestion: emailQuestion ?? 'email_address',
    isEmailAdded: emailQuestion === null,
  };
  members.requireAllRead();
  const questions = form.pages.flatMap((page) => page.questions);
  const names = new Set(questions.map(({ name }) => name));
  const address = questions.find(({ name }) => name === form.emailQuestion);
  // Questions with the same name share their answer, and an email address must be a text.
  if (names.size < questions.length || address?.kind !== 'text') throw new NotPlainError();
  return form;
}

/**
 * Reads a definition as a plain form: questions without conditions, expressions and custom styling, and only of types
 * that need no SurveyJS. Returns null if it contains anything else, known or not; SurveyJS then shows the form.
 */
export function readPlainForm(input: PlainFormInput): PlainForm | null {
  try {
    return read(input);
  } catch (error) {
    if (error instanceof NotPlainError) return null;
    throw error;
  }
}

/** Returns the data that the script needs in addition to the HTML. */
export function toScriptForm({ pages, emailQuestion, isEmailAdded, completedHtml }: PlainForm): ScriptForm {
  return {
    pages: pages.map(({ questions }) =>
      questions.map(({ name, kind, values, checks }) => ({ name, kind, values, checks })),
    ),
    emailQuestion,
    isEmailAdded,
    completedHtml,
  };
}
