import { defineTexts } from '../texts/texts.ts';

/** Texts inside components. `main.tsx` loads them before the first render. */
export const uiTexts = defineTexts('ui', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});
