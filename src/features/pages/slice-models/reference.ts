import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: a body to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'slice_models.put': {
      id: 'hero',
      name: 'Hero',
      description: 'A large picture with a title',
      category: 'Headers',
      tags: ['picture'],
      variations: [
        {
          id: 'default',
          name: 'Default',
          primary: { title: { type: 'Text', config: { label: 'Title' } } },
          items: {},
        },
      ],
    },
  },
};
