import { Model, QuestionCommentModel, QuestionTextModel, settings } from 'survey-core';
import type { EmbeddedForm } from '../../src/features/forms/embed/page-data.ts';
import { isRecord } from '../is-record.ts';
import { sanitizeHtml } from './sanitize-html.ts';

// Titles are headings, so that screen readers can navigate by them. Titles of questions label their fields.
settings.titleTags = { survey: 'h1', page: 'h2', panel: 'h3', question: 'div' };

/** A SurveyJS model that sanitizes all HTML of the form's owner. */
export class FormModel extends Model {
  /** SurveyJS calls this for all HTML (elements, completion, loading), after inserting answers. */
  override processHtml(html: string, reason?: string): string {
    return sanitizeHtml(super.processHtml(html, reason));
  }
}

/** Input types whose content is always a valid value, unlike incomplete numbers and dates. */
const plainInputs: ReadonlySet<string> = new Set(['text', 'email', 'url', 'tel', 'search', 'password']);

/**
 * Updates the answer with each keystroke while a question has an error, so that the error disappears while typing.
 * Removing it on blur would move a control while it is being pressed.
 */
function clearErrorsWhileTyping(model: Model): void {
  model.onAfterRenderQuestionInput.add((_model, { question, htmlElement }) => {
    htmlElement.addEventListener('input', () => {
      if (question.errors.length === 0) return;
      if (question instanceof QuestionCommentModel && htmlElement instanceof HTMLTextAreaElement)
        question.value = htmlElement.value;
      else if (question instanceof QuestionTextModel && question.maskTypeIsEmpty && isPlainInput(htmlElement))
        question.inputValue = htmlElement.value;
    });
  });
}

function isPlainInput(element: HTMLElement): element is HTMLInputElement {
  return element instanceof HTMLInputElement && plainInputs.has(element.type);
}

/** Sets a default completion text, because SurveyJS's own speaks of a survey. */
function completeWith(model: Model, definition: object, sent: string): void {
  if (isRecord(definition) && definition.completedHtml !== undefined) return;
  const text = document.createElement('h2');
  text.textContent = sent;
  model.completedHtml = text.outerHTML;
}

/** Builds the model of a prepared definition. */
export function createFormModel(
  definition: object,
  {
    email_question,
    locale,
    texts,
    theme,
  }: Pick<EmbeddedForm, 'email_question' | 'locale' | 'texts' | 'theme'>,
): FormModel {
  const model = new FormModel(definition);
  model.locale = locale;
  model.applyTheme(theme);
  // The page is as tall as its content; a scroll container would hide its height from the parent page.
  model.fitToContainer = false;
  // The visitor must see that the answers were received, even if the form has no text for it.
  model.showCompletePage = true;
  completeWith(model, definition, texts.sent);
  clearErrorsWhileTyping(model);
  const question = email_question === null ? null : model.getQuestionByName(email_question);
  if (question) {
    // A submission needs an email address (docs/specification/forms.md#submissions).
    question.isRequired = true;
  }
  return model;
}
