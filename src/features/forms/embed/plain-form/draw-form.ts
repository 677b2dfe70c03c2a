/** Draws all pages of a plain form as HTML; `web/plain-form.ts` makes it interactive. */
import { type Html, html } from '../../../../http/html.ts';
import { drawField, symbols } from './draw-field.ts';
import type { PlainForm, PlainPage } from './read-plain-form.ts';
import type { PlainQuestion } from './read-question.ts';

/** Draws a text of the form's owner; its line breaks are preserved. */
function drawText(text: string): Html {
  return html`<span class="sv-string-viewer sv-string-viewer--multiline">${text}</span>`;
}

function drawHeader(id: string, { title, description, isRequired }: PlainQuestion): Html {
  const star = isRequired
    ? html`<span>&nbsp;</span><span aria-hidden="true" class="sd-question__required-text">*</span>`
    : null;
  const required = isRequired ? ' sd-question__title--required' : '';
  const help =
    description === ''
      ? null
      : html`<div id="${id}-help" class="sd-description sd-question__description">${drawText(description)}</div>`;
  return html`<div class="sd-question__header sd-element__header sd-question__header--location-top sd-element__header--location-top"><div id="${id}-title" class="sd-title sd-element__title sd-question__title${required}">${drawText(title)}${star}</div>${help}</div>`;
}

/** SurveyJS's classes of the element around an input, by type of question. */
const contentClasses: Readonly<Partial<Record<PlainQuestion['field']['type'], string>>> = {
  text: 'sd-text__content sd-question__content',
  comment: 'sd-comment__content sd-question__content',
};

function drawQuestion(question: PlainQuestion, id: string, isPanelless: boolean): Html {
  const { type } = question.field;
  const classes = [
    ...(isPanelless ? [] : ['sd-element--with-frame']),
    'sd-element sd-question sd-row__question',
    ...(type === 'boolean' ? ['sd-question--boolean'] : []),
    ...(question.hasHeader ? ['sd-question--title-top'] : []),
    ...(['text', 'comment', 'dropdown'].includes(type) ? ['sd-row__question--small'] : []),
  ].join(' ');
  const row = isPanelless
    ? 'sd-row sd-clearfix sd-row--compact sd-page__row'
    : 'sd-row sd-clearfix sd-page__row';
  const content = contentClasses[type] ?? 'sd-element__content sd-question__content';
  return html`<div class="${row}"><div class="tessera-column"><div id="${id}" class="${classes}">${question.hasHeader ? drawHeader(id, question) : null}<div role="presentation" class="${content}">${drawField(id, question)}</div></div></div></div>`;
}

interface PagePosition {
  readonly number: number;
  readonly pages: number;
  /** Number of questions on earlier pages. */
  readonly questionsBefore: number;
  /** As in `DrawingOptions`. */
  readonly pageOf: string;
  readonly isPanelless: boolean;
}

function drawPage({ title, description, questions }: PlainPage, options: PagePosition): Html {
  const { number, pages, questionsBefore, pageOf, isPanelless } = options;
  const position = pageOf.replace('{page}', String(number)).replace('{pages}', String(pages));
  const label = title === '' ? position : `${position}: ${title}`;
  const group = pages > 1 ? html` role="group" aria-label="${label}"` : null;
  const heading = title === '' ? null : html`<h2 class="sd-title sd-page__title">${drawText(title)}</h2>`;
  const below =
    description === ''
      ? null
      : html`<div class="sd-description sd-page__description">${drawText(description)}</div>`;
  const drawn = questions.map((question, at) =>
    drawQuestion(question, `q${questionsBefore + at}`, isPanelless),
  );
  return html`<div class="sd-page sd-body__page"${group}${number > 1 ? html` hidden` : null}>${heading}${below}${drawn}</div>`;
}

function drawButton(name: string, classes: string, text: string, isHidden: boolean): Html {
  return html`<div class="sv-action" data-button="${name}"${isHidden ? html` hidden` : null}><div class="sv-action__content"><input type="button" title="${text}" class="sd-btn ${classes}" value="${text}" disabled></div></div>`;
}

/** Options for drawing a form. */
export interface DrawingOptions {
  /** Title of one of several pages; `{page}` and `{pages}` are replaced with numbers. */
  readonly pageOf: string;
  readonly isPanelless: boolean;
}

/**
 * Draws a plain form with its first page visible; its buttons are disabled until the script runs. Questions have the
 * ids `q0`, `q1` and so on across all pages. The form's title, if any, is the heading of the page.
 */
export function drawPlainForm(
  { title, description, pages, buttons }: PlainForm,
  { pageOf, isPanelless }: DrawingOptions,
): Html {
  const heading =
    title === '' ? null : html`<h1 class="sd-title"><span class="sv-string-viewer">${title}</span></h1>`;
  const below = description === '' ? null : html`<div class="sd-description">${drawText(description)}</div>`;
  const header =
    title === ''
      ? null
      : html`<div class="sd-title sd-container-modern__title"><div class="sd-header__text">${heading}${below}</div></div>`;
  const drawn = pages.map((page, at) =>
    drawPage(page, {
      number: at + 1,
      pages: pages.length,
      questionsBefore: pages.slice(0, at).reduce((sum, { questions }) => sum + questions.length, 0),
      pageOf,
      isPanelless,
    }),
  );
  const isMany = pages.length > 1;
  const root = isPanelless ? 'sd-root-modern sd-root--compact' : 'sd-root-modern';
  return html`${symbols}<div class="${root}"><form novalidate><div class="sd-container-modern">${header}<div class="sd-body sd-body--static">${drawn}<div class="sd-action-bar sd-footer sd-body__navigation sd-clearfix">${drawButton('previous', 'sd-navigation__prev-btn', buttons.previous, true)}${drawButton('next', 'sd-navigation__next-btn', buttons.next, !isMany)}${drawButton('complete', 'sd-btn--action sd-navigation__complete-btn', buttons.complete, isMany)}</div></div></div></form></div>`;
}
