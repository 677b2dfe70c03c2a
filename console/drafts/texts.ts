import { defineTexts } from '../texts/texts.ts';

/** Texts about drafts. The loader of a route whose screen has a draft loads them. */
export const draftTexts = defineTexts('drafts', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
