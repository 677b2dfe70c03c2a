import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: {
    'Lists and audiences': 'Groups of subscribers for campaigns. Each subscriber names its lists.',
  },
  examples: {
    'lists.create': { name: 'Newsletter', description: 'Once a month' },
    'lists.replace': { name: 'Newsletter', description: 'Once a month' },
  },
};
