import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'E-mail tracking': 'Requests of mail clients and recipients: pixels, links, unsubscribing.' },
};
