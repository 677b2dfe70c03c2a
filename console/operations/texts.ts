import { defineTexts } from '../texts/texts.ts';

/** Names and statuses of operations, for their screens and the top bar. */
export const operationTexts = defineTexts('long-operations', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
