import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { indexes } from './resource.ts';
import { DeleteItemsBody, QueryBody, UpsertBody } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    vector_index: {
      path: '/api/ai/indexes/{name}',
      createdBy: 'ai_indexes.create',
      absent: () => `absent-${randomUUID()}`,
    },
  },
  requests: {
    'ai_indexes.create': body(indexes.createBody)((_name, unique) => ({
      name: unique('help-pages'),
      contentsDescription: 'Answers to questions that travellers ask.',
      metadataDefinition: [
        { fieldName: 'language', fieldType: 'string' },
        { fieldName: 'topics', fieldType: 'array' },
      ],
    })),
    'ai_indexes.list': { query: (name) => ({ business_unit: name('unit') }) },
    'ai_indexes.upsert': body(UpsertBody)({
      data: [
        {
          id: 'refunds',
          input: 'A ticket is refunded until an hour before the train leaves.',
          metadata: { language: 'en', topics: ['tickets'] },
        },
      ],
    }),
    'ai_indexes.query': body(QueryBody)({
      input: 'How do I get my money back?',
      top_k: 3,
      filter: { language: 'en' },
    }),
    'ai_indexes.get_item': { params: { id: 'refunds' } },
    'ai_indexes.delete_items': body(DeleteItemsBody)({ ids: ['refunds'] }),
  },
};
