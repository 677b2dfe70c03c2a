/** Data for the script of a plain form that is not visible in the HTML. */

/**
 * A rule for an answer, with its error message. All rules except `required` accept an empty answer. The length is the
 * number of characters or of selected choices.
 */
export type PlainCheck = { readonly message: string } & (
  | { readonly kind: 'required' | 'valid' }
  | { readonly kind: 'min' | 'max'; readonly limit: number | string }
  | { readonly kind: 'step' | 'minLength' | 'maxLength'; readonly limit: number }
  | { readonly kind: 'pattern'; readonly source: string; readonly ignoresCase: boolean }
);

/** Value of a choice in answers. */
export type ChoiceValue = string | number;

/** Type of an answer: text, number, one choice, several choices, or a checkbox. */
export type AnswerKind = 'text' | 'number' | 'choice' | 'choices' | 'checkbox';

/** A question, as the script reads and checks it. */
export interface ScriptQuestion {
  readonly name: string;
  readonly kind: AnswerKind;
  /** Values of the choices in the order of the page; no two are equal as texts. */
  readonly values: readonly ChoiceValue[];
  readonly checks: readonly PlainCheck[];
}

/** A form, as the script runs it. */
export interface ScriptForm {
  /** Questions by page. */
  readonly pages: readonly (readonly ScriptQuestion[])[];
  /** Question that contains the visitor's email address. */
  readonly emailQuestion: string;
  /** True if the page added that question, so that it is not part of the form's data. */
  readonly isEmailAdded: boolean;
  /** HTML of the form's own completion text; null for the page's default. */
  readonly completedHtml: string | null;
}
