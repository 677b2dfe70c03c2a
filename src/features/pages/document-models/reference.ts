import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its group is about, and a body to begin with. */
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
