import { defineTexts } from '../texts/texts.ts';

/** Texts about subscribers that several features show. */
export const peopleTexts = defineTexts('people', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
