import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  examples: {
    'template_snippets.create': {
      name: 'footer',
      content: '<p>Acme, 1 Main Street</p>',
      description: 'At the end of every message',
    },
    'template_snippets.replace': {
      name: 'footer',
      content: '<p>Acme, 1 Main Street</p>',
      description: 'At the end of every message',
    },
  },
};
