import { defineTexts } from '../../texts/texts.ts';

/** Texts of this folder's screens. */
export const texts = defineTexts('imports', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
