/** Forms from surveys of Formbricks. */
import Value from 'typebox/value';
import { type FormElement, toElement, toImage, withoutUndefined } from './formbricks-questions.ts';
import { type FormbricksEnding, FormbricksQuestion, type FormbricksSurvey } from './formbricks-survey.ts';
import { SurveyTexts } from './formbricks-texts.ts';
import type { Report } from './move.ts';

const MAX_NAME_CHARS = 500;

interface Conversion {
  readonly survey: FormbricksSurvey;
  readonly texts: SurveyTexts;
  readonly report: Report;
  /** Names the survey in the report. */
  readonly name: string;
}

/** Returns the body that creates the form of a survey, or the reason why there is none. Reports what the form lacks. */
export function toForm(
  report: Report,
  survey: FormbricksSurvey,
): { readonly body: FormElement } | { readonly problem: string } {
  const name = `survey ${survey.name}`;
  const groups = groupsOf(survey);
  const questions = groups.flat().filter((each) => Value.Check(FormbricksQuestion, each));
  const texts = new SurveyTexts(
    survey,
    questions.map(({ id }) => id),
    (lost) => report.skip(`${name}: answer to ${lost} in a text`, 'its fallback stands there instead'),
  );
  const conversion = { survey, texts, report, name };
  const pages = groups
    .map((group) => group.flatMap((question) => elementsOf(conversion, question)))
    .filter((elements) => elements.length > 0)
    .map((elements, index) => ({ name: `page${index + 1}`, elements }));
  if (pages.length === 0) return { problem: 'has no questions that a form can have' };
  reportSettings(conversion, questions);
  return { body: bodyOf(conversion, pages) };
}

/** Returns the questions of each page. */
function groupsOf({ blocks, questions }: FormbricksSurvey): readonly (readonly unknown[])[] {
  const groups = (blocks ?? []).map(({ elements }) => elements);
  return groups.length > 0 ? groups : (questions ?? []).map((question) => [question]);
}

function elementsOf({ texts, report, name }: Conversion, question: unknown): FormElement[] {
  if (!Value.Check(FormbricksQuestion, question)) {
    report.skip(`${name}, a question`, 'the data has unexpected types');
    return [];
  }
  const title = `${name}, question ${question.id}`;
  const skip = (what: string) => report.skip(title, `${what} has no counterpart`);
  const element = toElement({ question, texts, skip });
  if (element === undefined) {
    skip(`the type ${question.type}`);
    return [];
  }
  const image = toImage(question);
  return image === undefined ? [element] : [image, element];
}

function bodyOf({ survey, texts, report, name }: Conversion, pages: readonly object[]): FormElement {
  const { welcomeCard, status, recaptcha } = survey;
  const card = welcomeCard?.enabled === true ? welcomeCard : null;
  const isActive = status === 'inProgress';
  if (!isActive) report.change(name, `is inactive, because its status is ${status ?? 'missing'}`);
  if (recaptcha?.enabled === true) report.change(name, 'has a challenge instead of reCAPTCHA');
  if (!JSON.stringify(pages).includes('"inputType":"email"'))
    report.change(name, 'asks for an email address at its end, as every form does');
  const isMonolingual = (survey.languages ?? []).length <= 1;
  const definition = withoutUndefined({
    locale: isMonolingual ? texts.ownLanguage : undefined,
    title: texts.plain(card?.headline),
    description: texts.plain(card?.subheader ?? card?.html),
    completedHtml: closingOf({ survey, texts, report, name }),
    pages,
  });
  const redirect = redirectOf(survey);
  return {
    name: survey.name.slice(0, MAX_NAME_CHARS) || 'Survey',
    form_type: 'embedded_form',
    active: isActive,
    allowed_origins: [],
    formBuilderOptions: definition,
    ...(recaptcha?.enabled === true ? { challenge: true } : {}),
    ...(redirect === undefined ? {} : { post_submit_actions: [{ type: 'redirect', url: redirect }] }),
  };
}

/** Returns the message after a submission; undefined if there is none. */
function closingOf({ survey, texts, report, name }: Conversion) {
  const [first, ...others] = endingsOf(survey);
  if (others.length > 0) report.skip(`${name}: ${others.length} more endings`, 'a form has one');
  if (first === undefined || first.type === 'redirectToUrl') return undefined;
  const { headline, subheader, buttonLink, buttonLabel } = first;
  const message = texts.message({
    title: headline,
    text: subheader,
    link: buttonLink ?? undefined,
    linkText: buttonLabel,
  });
  return message === '' ? undefined : message;
}

function redirectOf(survey: FormbricksSurvey): string | undefined {
  const [first] = endingsOf(survey);
  return first?.type === 'redirectToUrl' ? (first.url ?? undefined) : undefined;
}

/** Older surveys have one ending, the card with thanks. */
function endingsOf({ endings, thankYouCard }: FormbricksSurvey): readonly FormbricksEnding[] {
  if (endings !== null && endings !== undefined && endings.length > 0) return endings;
  return thankYouCard?.enabled === true ? [{ ...thankYouCard, type: 'endScreen' }] : [];
}

/** Reports settings of the survey that forms do not have. */
function reportSettings(
  { survey, report, name }: Conversion,
  questions: readonly FormbricksQuestion[],
): void {
  const { blocks, hiddenFields, variables, followUps, triggers, pin, singleUse, segment } = survey;
  const logical = [
    ...questions.filter(({ logic }) => hasItems(logic)).map(({ id }) => `question ${id}`),
    ...(blocks ?? []).flatMap(({ logic }, index) => (hasItems(logic) ? [`page ${index + 1}`] : [])),
  ];
  const skip = (what: string, reason: string) => report.skip(`${name}: ${what}`, reason);
  if (logical.length > 0) skip(`logic of ${logical.join(', ')}`, 'set visibleIf of the questions instead');
  const fields = hiddenFields?.fieldIds ?? [];
  if (fields.length > 0) skip(`hidden fields ${fields.join(', ')}`, 'forms take no answers from addresses');
  const names = (variables ?? []).map((variable) => variable.name);
  if (names.length > 0) skip(`variables ${names.join(', ')}`, 'set calculatedValues of the form instead');
  if (hasItems(followUps)) skip('follow-up emails', 'set notify of the form or an automation instead');
  if (hasItems(triggers) || hasItems(segment?.filters))
    skip('triggers and segment', 'the page that embeds the form decides who sees it');
  const others = [
    pin ? 'PIN' : '',
    singleUse?.enabled === true ? 'single-use links' : '',
    survey.isVerifyEmailEnabled === true ? 'verification of the address' : '',
    survey.isSingleResponsePerEmailEnabled === true ? 'one response for each address' : '',
    survey.autoComplete ? 'limit of responses' : '',
    (survey.publishOn ?? survey.runOnDate) ? 'date of opening' : '',
    (survey.closeOn ?? survey.closeOnDate) ? 'date of closing' : '',
  ].filter((each) => each !== '');
  if (others.length > 0) skip(others.join(', '), 'forms have no such setting');
  if (survey.styling?.overwriteThemeStyling === true) skip('styling', 'set a theme of the form instead');
}

function hasItems(list: readonly unknown[] | null | undefined): boolean {
  return list !== null && list !== undefined && list.length > 0;
}
