import { defineTexts } from '../texts/texts.ts';

/** Texts of what needs attention and of running work. */
export const overviewTexts = defineTexts('overview', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
