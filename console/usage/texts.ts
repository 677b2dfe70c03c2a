import { defineTexts } from '../texts/texts.ts';

/** Texts about the records that use another one. */
export const usageTexts = defineTexts('usage', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
