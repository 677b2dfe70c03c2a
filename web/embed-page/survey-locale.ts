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

/** Corrections of texts in SurveyJS's own files whose words are in the wrong order. */
const corrections: Readonly<Record<string, SurveyLocale['strings']>> = {
  ar: { progressText: 'صفحة {0} من {1}' },
};

/** Some texts that are read from right to left were written as they look from left to right: with their full stop first. */
function endWithDots(text: string): string {
  return text.replace(/^(\.+)(.+)$/s, '$2$1');
}

/** A language with its texts in the order in which they are read. */
export function inReadingOrder(locale: SurveyLocale): SurveyLocale {
  if (!locale.rtl && !(locale.localeCode in corrections)) return locale;
  const texts = Object.entries(locale.strings).map(([name, text]) => [name, endWithDots(text)]);
  return { ...locale, strings: { ...Object.fromEntries(texts), ...corrections[locale.localeCode] } };
}

/** Stands in for SurveyJS's function of this name in the files of its languages. */
export function setupLocale(locale: SurveyLocale): void {
  window.tesseraLocale = inReadingOrder(locale);
}
