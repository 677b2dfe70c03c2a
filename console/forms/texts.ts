import { defineTexts } from '../texts/texts.ts';

/** Texts that all forms have in common. */
export const formTexts = defineTexts('forms', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
