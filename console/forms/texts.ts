import { defineTexts } from '../texts/texts.ts';

/** Texts that all forms have in common. */
export const formTexts = defineTexts('forms', {
  en: () => import('./texts.en.json'),
  de: () => import('./texts.de.json'),
});

// Forms are loaded with the screens that have one, whose routes know nothing of these texts.
await formTexts.load();
