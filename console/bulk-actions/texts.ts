import { defineTexts } from '../texts/texts.ts';

/** Texts of the question before a bulk action, and of its progress. */
export const bulkTexts = defineTexts('bulk-actions', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
