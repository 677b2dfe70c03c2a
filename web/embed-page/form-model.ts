import { Model, QuestionCommentModel, QuestionTextModel, settings } from 'survey-core';
import type { EmbeddedForm } from '../../src/features/forms/embed/page-data.ts';
import { isRecord } from '../is-record.ts';
import { sanitizeHtml } from './sanitize-html.ts';

// Titles as headings, so that screen readers can walk over them; those of questions name their fields.
settings.titleTags = { survey: 'h1', page: 'h2', panel: 'h3', question: 'div' };

/** A SurveyJS model that shows no HTML of the form's owner before it is made safe. */
export class FormModel extends Model {
  /** Every piece of HTML (html elements, completion, loading) passes here after answers were put into it. */
  override processHtml(html: string, reason?: string): string {
    return sanitizeHtml(super.processHtml(html, reason));
  }
}

/** Inputs whose content is their value at every moment; a number or a date is none until it is whole. */
const plainInputs: ReadonlySet<string> = new Set(['text', 'email', 'url', 'tel', 'search', 'password']);

/**
 * Takes over each letter while a question has an error, so that the error goes while its visitor types. When it goes
 * later, with the focus, it moves what is being pressed.
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

/** A form that says nothing itself once it is sent is told to say what holds for every form, not for a survey. */
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
  // The page is as tall as its content; a scrolling area of its own would hide that height from the parent.
  model.fitToContainer = false;
  // The visitor must see that the answers arrived, also when the form has no text of its own for it.
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
