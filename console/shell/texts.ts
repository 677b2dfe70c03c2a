import { defineTexts } from '../texts/texts.ts';

/** Texts of the frame around all screens. */
export const shellTexts = defineTexts('shell', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
