import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: {
    'Lists and audiences':
      'Groups of subscribers to whom campaigns are sent. A subscriber names those that it is in.',
  },
  examples: {
    'lists.create': { name: 'Newsletter', description: 'Once a month' },
    'lists.replace': { name: 'Newsletter', description: 'Once a month' },
  },
};
