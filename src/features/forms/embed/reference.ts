import type { ReferenceTexts } from '../../feature.ts';

/** Introduction and example bodies for the API reference. */
export const reference: ReferenceTexts = {
  tags: {
    Embedding: "What a visitor's browser asks for: the page and the script of a form, its submission.",
  },
  examples: {
    'embed.submit': { email_address: 'ada@example.com', form_data: { email: 'ada@example.com', guests: 2 } },
  },
};
