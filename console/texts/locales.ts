/** Languages of the console. */
export const LOCALES = ['en', 'de'] as const;

/** Language of the console. */
export type Locale = (typeof LOCALES)[number];

/** A short text in every language, for names in manifests: of navigation entries, commands and entity types. */
export type LocalizedText = Readonly<Record<Locale, string>>;

/** Returns the user's language, else the first language of the browser that the console has, else English. */
export function chooseLocale(chosen: string | null, preferred: readonly string[]): Locale {
  for (const tag of chosen === null ? preferred : [chosen, ...preferred]) {
    const language = tag.toLowerCase().split('-')[0];
    const locale = LOCALES.find((each) => each === language);
    if (locale !== undefined) return locale;
  }
  return 'en';
}
