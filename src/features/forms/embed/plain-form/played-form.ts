/** What the script of a plain form is told of it: what the page does not show. */

/** A rule for the answer to one question, with what its visitor is told. All but `required` hold for an empty answer. */
export type PlainCheck = { readonly message: string } & (
  | { readonly kind: 'required' | 'readable' }
  | { readonly kind: 'min' | 'max'; readonly limit: number | string }
  | { readonly kind: 'step' | 'fewest' | 'most'; readonly limit: number }
  | { readonly kind: 'pattern'; readonly source: string; readonly ignoresCase: boolean }
);

export type ChoiceValue = string | number;

/** How a question is answered: by a text, a number, one of its choices, several of them, or a box that is ticked. */
export type AnswerKind = 'text' | 'number' | 'choice' | 'choices' | 'tick';

export interface PlayedQuestion {
  readonly name: string;
  readonly kind: AnswerKind;
  /** In the order of the page; no two look the same as texts. */
  readonly values: readonly ChoiceValue[];
  readonly checks: readonly PlainCheck[];
}

export interface PlayedForm {
  /** Questions by page. */
  readonly pages: readonly (readonly PlayedQuestion[])[];
  /** The question whose answer is the visitor's address. */
  readonly emailQuestion: string;
  /** Whether the page added that question, so that it is no part of the form's data. */
  readonly isEmailAdded: boolean;
  /** What the form's owner says at the end, as HTML; null leaves it to the page. */
  readonly completedHtml: string | null;
}
