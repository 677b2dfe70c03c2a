import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: {
    Embedding: "What a visitor's browser asks for: the page and the script of a form, its submission.",
  },
  examples: {
    'embed.submit': { email_address: 'ada@example.com', form_data: { email: 'ada@example.com', guests: 2 } },
  },
};
