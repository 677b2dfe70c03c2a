import { type Html, html } from '../../../http/html.ts';
import { isRecord } from './page-data.ts';

/** Input for drawing the first page. */
export interface FirstPageInput {
  readonly definition: Readonly<Record<string, unknown>>;
  /** SurveyJS's locale; selects among translations in the definition. */
  readonly locale: string;
  /** Title of the question that the page adds at its end; null if the form asks for an email address itself. */
  readonly addedQuestion: string | null;
}

type Item = Readonly<Record<string, unknown>>;
type ChooseText = (text: unknown) => string;

/** Input types that look the same before SurveyJS draws them. */
const inputTypes: ReadonlySet<unknown> = new Set([
  'email',
  'tel',
  'url',
  'number',
  'date',
  'time',
  'password',
]);

/** Heights in CSS pixels of elements that are not drawn in advance, or of one item if they have several. */
const heights: Readonly<Record<string, number>> = {
  file: 288,
  signaturepad: 200,
  html: 24,
  image: 150,
  expression: 24,
};
const fieldHeight = 48;
/** More items are not visible at once and would only make the page larger. */
const maxItems = 50;

/**
 * Returns a function that chooses a text in the page's language from a plain or translated text. It removes
 * placeholders, whose answers do not exist yet.
 */
function textReader(locale: string): ChooseText {
  const [primary = ''] = locale.split('-');
  return (text) => {
    const chosen = isRecord(text)
      ? (text[locale] ?? text[primary] ?? text.default ?? Object.values(text)[0])
      : text;
    // Like SurveyJS, from the last opening brace. This takes linear time, however many braces open.
    return typeof chosen === 'string' ? chosen.replace(/\{[^{}]*\}/g, '').trim() : '';
  };
}

function itemsOf(value: unknown): Item[] {
  return (Array.isArray(value) ? value : []).filter(isRecord);
}

function isShown(item: Item): boolean {
  return item.visible !== false && !item.visibleIf;
}

/** Lists questions in the order of the page, including those in panels. */
function questionsOf(container: Item): Item[] {
  return itemsOf(container.elements ?? container.questions)
    .filter(isShown)
    .flatMap((item) => (item.type === 'panel' ? questionsOf(item) : [item]));
}

function renderChoices({ type, name, choices }: Item, chooseText: ChooseText): Html {
  const kind = type === 'checkbox' ? 'checkbox' : 'radio';
  const items = (Array.isArray(choices) ? choices : []).slice(0, maxItems).map((choice: unknown) => {
    const value = isRecord(choice) ? choice.value : choice;
    const text = (isRecord(choice) && chooseText(choice.text)) || String(value);
    return html`<div class="sd-item sd-${kind} sd-selectbase__item sv-q-col-1"><label class="sd-selectbase__label"><input class="sd-visuallyhidden sd-item__control" type="${kind}" name="${String(name)}" value="${String(value)}"><span class="sd-item__decorator sd-${kind}__decorator"></span><span class="sd-item__control-label">${text}</span></label></div>`;
  });
  return html`<fieldset class="sd-selectbase">${items}</fieldset>`;
}

function renderControl(question: Item, title: string, chooseText: ChooseText): Html {
  const { type, name, inputType, choices, rows, placeholder } = question;
  const label = title === '' ? String(name) : title;
  if (type === 'text' || type === undefined)
    return html`<input class="sd-input sd-text" type="${inputTypes.has(inputType) ? String(inputType) : 'text'}" data-early="${String(name)}" aria-label="${label}" placeholder="${chooseText(placeholder)}">`;
  if (type === 'comment')
    return html`<textarea class="sd-input sd-comment" rows="${typeof rows === 'number' ? rows : 4}" cols="50" data-early="${String(name)}" aria-label="${label}" placeholder="${chooseText(placeholder)}"></textarea>`;
  const areSimple = Array.isArray(choices) && question.colCount === undefined;
  if ((type === 'radiogroup' || type === 'checkbox') && areSimple) return renderChoices(question, chooseText);
  return html`<div class="sd-input tessera-later" style="height: ${heights[String(type)] ?? fieldHeight}px"></div>`;
}

function renderQuestion(question: Item, chooseText: ChooseText): Html {
  const title =
    chooseText(question.title) || (question.titleLocation === 'hidden' ? '' : String(question.name ?? ''));
  const description = chooseText(question.description);
  const required =
    question.isRequired === true
      ? html`<span>&nbsp;</span><span class="sd-question__required-text">*</span>`
      : null;
  const isTitled =
    question.titleLocation !== 'hidden' && question.type !== 'html' && question.type !== 'image';
  const header = isTitled
    ? html`<div class="sd-question__header sd-element__header sd-question__header--location-top sd-element__header--location-top"><div class="sd-title sd-element__title sd-question__title"><span>${title}</span>${required}</div>${
        description === ''
          ? null
          : html`<div class="sd-description sd-question__description">${description}</div>`
      }</div>`
    : null;
  return html`<div class="sd-row sd-clearfix sd-page__row"><div class="tessera-column"><div class="sd-element--with-frame sd-element sd-question sd-row__question sd-question--title-top">${header}<div class="sd-question__content">${renderControl(question, title, chooseText)}</div></div></div></div>`;
}

/** The page already has a hidden heading with the title; this one is only visual. */
function renderHeading(tag: 'page' | 'survey', title: string, description: string): Html | null {
  if (title === '') return null;
  const below = description === '' ? null : html`<div class="sd-description">${description}</div>`;
  return tag === 'page'
    ? html`<h2 class="sd-title sd-page__title">${title}</h2>${below}`
    : html`<div class="sd-title sd-container-modern__title"><div class="sd-header__text"><div class="sd-title" aria-hidden="true">${title}</div>${below}</div></div>`;
}

/**
 * Renders the first page of a form as plain HTML with SurveyJS's classes and sizes. It is visible before the script
 * loads, and nothing moves when SurveyJS replaces it; the script keeps what the visitor has typed. Elements that need
 * the script are boxes of about the same size. Faulty parts of a definition are left out.
 */
export function renderFirstPage({ definition, locale, addedQuestion }: FirstPageInput): Html {
  const chooseText = textReader(locale);
  const pages = itemsOf(definition.pages).filter(isShown);
  const [first = {}] = pages.length === 0 ? [definition] : pages;
  const added = { type: 'text', name: '', title: addedQuestion, inputType: 'email', isRequired: true };
  const questions = [...questionsOf(first), ...(addedQuestion !== null && pages.length < 2 ? [added] : [])];
  const isTitled = definition.showTitle !== false;
  return html`<div class="sd-root-modern tessera-first"><div class="sd-container-modern">${
    isTitled
      ? renderHeading('survey', chooseText(definition.title), chooseText(definition.description))
      : null
  }<div class="sd-body sd-body--static"><div class="sd-page sd-body__page">${renderHeading('page', chooseText(first.title), chooseText(first.description))}${questions.map((question) => renderQuestion(question, chooseText))}</div><div class="sd-action-bar sd-footer sd-body__navigation sd-clearfix"><div class="sv-action"><div class="sv-action__content"><input class="sd-btn sd-btn--action" type="button" value="…" disabled></div></div></div></div></div></div>`;
}
