import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: an example body. */
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
