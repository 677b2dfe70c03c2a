import { defineTexts } from '../texts/texts.ts';

/** Texts of tables. A screen with a table loads them with its own: `loadTableTexts()`. */
export const tableTexts = defineTexts('table', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
