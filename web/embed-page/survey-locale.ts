/** SurveyJS's texts in one language, as its files hand them over. */
export interface SurveyLocale {
  readonly localeCode: string;
  readonly strings: Readonly<Record<string, string>>;
  readonly nativeName: string;
  readonly englishName: string;
  readonly rtl?: boolean;
}

declare global {
  interface Window {
    /** Left by the file of the page's language, which runs before the page's script. */
    tesseraLocale?: SurveyLocale;
  }
}

/** Stands in for SurveyJS's function of this name in the files of its languages. */
export function setupLocale(locale: SurveyLocale): void {
  window.tesseraLocale = locale;
}
