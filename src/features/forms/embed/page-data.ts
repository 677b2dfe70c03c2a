import type { ITheme } from 'survey-core';
import type { FormPurpose } from './button-texts.ts';
import type { PageLanguage } from './language.ts';
import type { PageTexts } from './page-texts.ts';
import type { PlayedForm } from './plain-form/played-form.ts';

/** Whether a value of a definition or theme is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A theme as the form page needs it (docs/specification/forms.md#form-themes). */
export interface EmbeddedTheme {
  readonly formBuilderThemeOptions: Readonly<Record<string, unknown>>;
}

/** What the page in a visitor's browser is told about its form in any case; travels as JSON inside the page. */
interface FormOnPage {
  readonly public_code: string;
  /** The language of the form, as SurveyJS names it. */
  readonly locale: string;
  readonly texts: PageTexts;
  /** Whether a challenge is to be solved before answers are sent. */
  readonly challenge: boolean;
}

/** What is told of a plain form, which stands on the page as a whole. */
export interface PlainEmbeddedForm extends FormOnPage {
  readonly plain: PlayedForm;
}

/** What is told of a form that SurveyJS draws. */
export interface EmbeddedForm extends FormOnPage {
  /** The form definition as it is stored (docs/specification/forms.md#form-definition). */
  readonly formBuilderOptions: Readonly<Record<string, unknown>>;
  /** The question whose answer becomes `email_address`; null lets the page add such a question at its end. */
  readonly email_question: string | null;
  /** What SurveyJS is told of the theme; its colours stand in the page itself. */
  readonly theme: ITheme;
}

/** An embedded form together with what its HTML document needs. */
export interface EmbedPageData extends Omit<EmbeddedForm, 'locale' | 'texts' | 'theme'> {
  readonly theme: EmbeddedTheme | null;
  /** The title of the page when the form itself has none. */
  readonly name: string;
  /** Path under which the service is reached, without a trailing slash: empty at the root, else like `/forms`. */
  readonly assetBase: string;
  readonly language: PageLanguage;
  readonly purpose: FormPurpose;
}
