import type { ReferenceTexts } from '../../feature.ts';

/** Introduction and example bodies for the API reference. */
export const reference: ReferenceTexts = {
  tags: {
    Embedding: "Requests of visitors' browsers: form page, script, submission.",
  },
  examples: {
    'embed.submit': { email_address: 'ada@example.com', form_data: { email: 'ada@example.com', guests: 2 } },
  },
};
