import { type ITheme, Model } from 'survey-core';
import { sanitizeHtml } from './sanitize-html.ts';

/** A SurveyJS model that shows no HTML of the form's owner before it is made safe. */
export class FormModel extends Model {
  /** Every piece of HTML (html elements, completion, loading) passes here after answers were put into it. */
  override processHtml(html: string, reason?: string): string {
    return sanitizeHtml(super.processHtml(html, reason));
  }
}

/**
 * Builds the model of a prepared definition.
 *
 * @param emailQuestion name of the question that becomes `email_address`; null when the definition got one of ours
 */
export function createFormModel(definition: object, theme: ITheme, emailQuestion: string | null): FormModel {
  const model = new FormModel(definition);
  model.applyTheme(theme);
  // The page is as tall as its content; a scrolling area of its own would hide that height from the parent.
  model.fitToContainer = false;
  // The visitor must see that the answers arrived, also when the form has no text of its own for it.
  model.showCompletePage = true;
  const question = emailQuestion === null ? null : model.getQuestionByName(emailQuestion);
  if (question) {
    // A submission needs an e-mail address (document 3, "Form submission").
    question.isRequired = true;
  }
  return model;
}
