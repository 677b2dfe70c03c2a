import type { ITheme } from 'survey-core';
import type { PageLanguage } from './language.ts';
import type { PageTexts } from './page-texts.ts';

/** Whether a value of a definition or theme is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A theme as the form page needs it (docs/specification/forms.md#form-themes). */
export interface EmbeddedTheme {
  readonly formBuilderThemeOptions: Readonly<Record<string, unknown>>;
}

/** What the page in a visitor's browser is told about its form; travels as JSON inside the page. */
export interface EmbeddedForm {
  readonly public_code: string;
  /** The form definition as it is stored (docs/specification/forms.md#form-definition). */
  readonly formBuilderOptions: Readonly<Record<string, unknown>>;
  /** The question whose answer becomes `email_address`; null lets the page add such a question at its end. */
  readonly email_question: string | null;
  /** What SurveyJS is told of the theme; its colours stand in the page itself. */
  readonly theme: ITheme;
  /** The language that SurveyJS is to speak. */
  readonly locale: string;
  readonly texts: PageTexts;
  /** Whether a challenge is to be solved before answers are sent. */
  readonly challenge: boolean;
}

/** An embedded form together with what its HTML document needs. */
export interface EmbedPageData extends Omit<EmbeddedForm, 'locale' | 'texts' | 'theme'> {
  readonly theme: EmbeddedTheme | null;
  /** The title of the page when the form itself has none. */
  readonly name: string;
  /** Path under which the service is reached, without a trailing slash: empty at the root, else like `/forms`. */
  readonly assetBase: string;
  readonly language: PageLanguage;
}
