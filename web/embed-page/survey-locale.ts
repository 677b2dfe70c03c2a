/** SurveyJS's texts in one language, as its files define them. */
export interface SurveyLocale {
  readonly localeCode: string;
  readonly strings: Readonly<Record<string, string>>;
  readonly nativeName: string;
  readonly englishName: string;
  readonly rtl?: boolean;
}

declare global {
  interface Window {
    /** Set by the file of the page's language, which runs before the page's script. */
    tesseraLocale?: SurveyLocale;
  }
}

/** Corrections of texts in SurveyJS's files with a wrong word order. */
const corrections: Readonly<Record<string, SurveyLocale['strings']>> = {
  ar: { progressText: 'صفحة {0} من {1}' },
};

/** Moves leading full stops of right-to-left texts, which some files contain in visual order, to the end. */
function endWithDots(text: string): string {
  return text.replace(/^(\.+)(.+)$/s, '$2$1');
}

/** Returns a language with its texts in reading order. */
export function inReadingOrder(locale: SurveyLocale): SurveyLocale {
  if (!locale.rtl && !(locale.localeCode in corrections)) return locale;
  const texts = Object.entries(locale.strings).map(([name, text]) => [name, endWithDots(text)]);
  return { ...locale, strings: { ...Object.fromEntries(texts), ...corrections[locale.localeCode] } };
}

/** Replaces SurveyJS's function of this name in its language files. */
export function setupLocale(locale: SurveyLocale): void {
  window.tesseraLocale = inReadingOrder(locale);
}
