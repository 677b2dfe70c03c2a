import { defineTexts } from '../texts/texts.ts';

/** Texts of the results of tests. */
export const webhookTestTexts = defineTexts('webhook-tests', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
