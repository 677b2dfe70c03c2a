import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'E-mail tracking': 'What mail programs and recipients ask for: pixels, links, unsubscribing.' },
};
