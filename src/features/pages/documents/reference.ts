import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: example bodies. */
export const reference: ReferenceTexts = {
  tags: {
    'Pages: documents': 'Content of websites. Tessera stores it without interpreting it.',
  },
  examples: {
    'documents.put': {
      document_model_id: 'page',
      uid: 'about-us',
      name: 'About us',
      status: 'draft',
      data: '{"title":"About us"}',
    },
    'documents.search': { search: 'about', limit: 10 },
  },
};
