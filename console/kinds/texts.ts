import { defineTexts } from '../texts/texts.ts';

/** Names of the kinds of record. */
export const kindTexts = defineTexts('kinds', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
