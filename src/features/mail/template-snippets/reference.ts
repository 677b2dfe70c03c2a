import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
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
