import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { documents } from './resource.ts';
import { SearchBody } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    document: {
      path: '/api/pages/{project_id}/document/{id}',
      createdBy: 'documents.put',
      absent: randomUUID,
    },
  },
  requests: {
    'documents.get': { query: (name) => ({ id: name('document') }) },
    'documents.list': {
      body: { page: 1, limit: 20, search: 'about', filters: { status: { operation: 'eq', value: 'draft' } } },
    },
    'documents.put': body(documents.replaceBody)((name) => ({
      document_model_id: name('document_model'),
      uid: 'about-us',
      name: 'About us',
      status: 'draft',
      data: '{"title":"About us"}',
    })),
    'documents.search': body(SearchBody)((name) => ({
      search: 'about',
      document_model_ids: [name('document_model')],
      limit: 10,
    })),
  },
};
