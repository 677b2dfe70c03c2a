import { defineTexts } from '../texts/texts.ts';

/** Texts of the filter bar. */
export const filterTexts = defineTexts('filters', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
