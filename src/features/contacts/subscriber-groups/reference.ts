import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
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
