/** A theme as the form page needs it: document 3, "Form theme". */
export interface EmbeddedTheme {
  readonly formBuilderThemeOptions: Readonly<Record<string, unknown>>;
}

/** What the page in a visitor's browser is told about its form; travels as JSON inside the page. */
export interface EmbeddedForm {
  readonly public_code: string;
  /** The form definition as it is stored (document 3, "Form"). */
  readonly formBuilderOptions: Readonly<Record<string, unknown>>;
  /** The question whose answer becomes `email_address`; null lets the page add such a question at its end. */
  readonly email_question: string | null;
  readonly theme: EmbeddedTheme | null;
}

/** An embedded form together with what its HTML document needs. */
export interface EmbedPageData extends EmbeddedForm {
  /** The title of the page when the form itself has none. */
  readonly name: string;
  /** Path under which the service is reached, without a trailing slash: empty at the root, else like `/forms`. */
  readonly assetBase: string;
}
