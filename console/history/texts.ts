import { defineTexts } from '../texts/texts.ts';

/** Texts of the history of records. */
export const historyTexts = defineTexts('history', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
