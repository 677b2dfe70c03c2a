import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: an introduction of the tag, and an example body. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: models':
      'What documents are made of: the fields of each kind of document, and the slices that pages are built from.',
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
