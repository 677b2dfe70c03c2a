/** Texts of the console: one catalog per folder and language, loaded together with the folder's first screen. */
import { type Messages, setupI18n } from '@lingui/core';
import type { Locale } from './locales.ts';

/** Formats messages in the current language. */
export const i18n = setupI18n();

/** Values of the placeholders of a message. */
export type TextValues = Readonly<Record<string, string | number | Date>>;

/** Returns the text of a key in the current language. */
export type Translate<Key extends string> = (key: Key, values?: TextValues) => string;

/** The texts of one folder, by key. Keys of different folders never meet. */
export interface Texts<Key extends string> {
  /** Prefix of the ids of the messages. */
  readonly folder: string;
  /** Loads the catalog of a language. Repeated calls load it once. */
  load(locale: Locale): Promise<void>;
  readonly translate: Translate<Key>;
}

/** A module with a catalog. The build compiles its messages, so their type is not the one of the source file. */
type CatalogLoader<Key extends string> = () => Promise<{ default: Readonly<Record<Key, unknown>> }>;

/** Declares the texts of a folder. */
export function defineTexts<Key extends string>(
  folder: string,
  catalogs: Readonly<Record<Locale, CatalogLoader<Key>>>,
): Texts<Key> {
  const loaded = new Set<Locale>();
  return {
    folder,
    async load(locale) {
      if (loaded.has(locale)) return;
      const { default: catalog } = await catalogs[locale]();
      const messages: Messages = {};
      for (const [key, message] of Object.entries(catalog))
        Object.assign(messages, { [`${folder}.${key}`]: message });
      i18n.load(locale, messages);
      loaded.add(locale);
    },
    translate: (key, values) => i18n._(`${folder}.${key}`, values),
  };
}
