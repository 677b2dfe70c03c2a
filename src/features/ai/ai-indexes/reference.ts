import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: example bodies. */
export const reference: ReferenceTexts = {
  examples: {
    'ai_indexes.create': {
      name: 'help-pages',
      contentsDescription: 'Answers to questions that travellers ask.',
      metadataDefinition: [
        { fieldName: 'language', fieldType: 'string' },
        { fieldName: 'topics', fieldType: 'array' },
      ],
    },
    'ai_indexes.upsert': {
      data: [
        {
          id: 'refunds',
          input: 'A ticket is refunded until an hour before the train leaves.',
          metadata: { language: 'en', topics: ['tickets'] },
        },
      ],
    },
    'ai_indexes.query': { input: 'How do I get my money back?', top_k: 3, filter: { language: 'en' } },
    'ai_indexes.delete_items': { ids: ['refunds'] },
  },
};
