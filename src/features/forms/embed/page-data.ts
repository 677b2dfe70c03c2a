import type { ITheme } from 'survey-core';
import type { FormPurpose } from './button-texts.ts';
import type { PageLanguage } from './language.ts';
import type { PageTexts } from './page-texts.ts';
import type { ScriptForm } from './plain-form/script-form.ts';

/** Returns true if a value of a definition or theme is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A theme as the form page needs it (docs/specification/forms.md#form-themes). */
export interface EmbeddedTheme {
  readonly formBuilderThemeOptions: Readonly<Record<string, unknown>>;
}

/** Data of every form page, sent to the browser as JSON inside the page. */
interface FormOnPage {
  readonly public_code: string;
  /** Language of the form, in SurveyJS's naming. */
  readonly locale: string;
  readonly texts: PageTexts;
  /** True if a challenge must be solved before answers are sent. */
  readonly challenge: boolean;
}

/** Data of a plain form, whose HTML is complete. */
export interface PlainEmbeddedForm extends FormOnPage {
  readonly plain: ScriptForm;
}

/** Data of a form that SurveyJS draws. */
export interface EmbeddedForm extends FormOnPage {
  /** The stored form definition (docs/specification/forms.md#form-definition). */
  readonly formBuilderOptions: Readonly<Record<string, unknown>>;
  /** Question whose answer becomes `email_address`; if null, the page adds such a question at its end. */
  readonly email_question: string | null;
  /** Theme for SurveyJS; its colors are in the page itself. */
  readonly theme: ITheme;
}

/** An embedded form with the data of its HTML document. */
export interface EmbedPageData extends Omit<EmbeddedForm, 'locale' | 'texts' | 'theme'> {
  readonly theme: EmbeddedTheme | null;
  /** Title of the page if the form has none. */
  readonly name: string;
  /** Base path of the service without a trailing slash: empty at the root, otherwise like `/forms`. */
  readonly assetBase: string;
  readonly language: PageLanguage;
  readonly purpose: FormPurpose;
}
