import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { Body } from './routes.ts';

export const examples: FeatureExamples = {
  records: {
    document_model: {
      path: '/api/pages/{project_id}/document-model/{id}',
      createdBy: 'document_models.put',
      shown: 'page',
      absent: randomUUID,
    },
  },
  requests: {
    'document_models.list': { query: { searchText: 'page', limit: '10' } },
    'document_models.put': body(Body)((name) => ({
      id: name('document_model'),
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
    })),
  },
};
