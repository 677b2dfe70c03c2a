/** Texts of the console: one catalog per folder and language, loaded together with the folder's first screen. */
import { type Messages, setupI18n } from '@lingui/core';
import type { Locale } from './locales.ts';

const i18n = setupI18n();
let active: Locale = 'en';

/** Values of the placeholders of a message. */
export type TextValues = Readonly<Record<string, string | number | Date>>;

/** Returns the text of a key in the current language. */
export type Translate<Key extends string> = (key: Key, values?: TextValues) => string;

/** The texts of one folder. */
export interface Texts<Key extends string> {
  /** Loads the catalog of the current language. Repeated calls load it once. */
  load(): Promise<void>;
  readonly translate: Translate<Key>;
}

/** Imports a catalog. The build has compiled its messages, so they are not strings. */
type CatalogImport<Key extends string> = () => Promise<{ default: Readonly<Record<Key, unknown>> }>;

/** Sets the language of all texts and of the page. A change of the language needs a reload. */
export function activateLocale(locale: Locale): void {
  active = locale;
  i18n.activate(locale);
  document.documentElement.lang = locale;
}

/** Returns the language of the page. */
export function activeLocale(): Locale {
  return active;
}

/** Declares the texts of a folder. Their keys need to be unique in the folder only. */
export function defineTexts<Key extends string>(
  folder: string,
  catalogs: Readonly<Record<Locale, CatalogImport<Key>>>,
): Texts<Key> {
  let loading: Promise<void> | null = null;
  const load = async () => {
    const { default: catalog } = await catalogs[active]();
    const messages: Messages = {};
    for (const [key, message] of Object.entries(catalog))
      Object.assign(messages, { [`${folder}.${key}`]: message });
    i18n.load(active, messages);
  };
  return {
    load: () => (loading ??= load()),
    translate: (key, values) => i18n._(`${folder}.${key}`, values),
  };
}
