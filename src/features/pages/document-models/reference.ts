import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: an introduction of the tag, and an example body. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: models': 'Content models: document models and slice models.',
  },
  examples: {
    'document_models.put': {
      id: 'page',
      label: 'Page',
      format: 'page',
      repeatable: true,
      status: true,
      json: {
        Main: {
          uid: { type: 'UID', config: { label: 'Path' } },
          title: { type: 'Text', config: { label: 'Title' } },
          body: { type: 'Slices', config: { choices: { hero: { type: 'SharedSlice' } } } },
        },
      },
    },
  },
};
