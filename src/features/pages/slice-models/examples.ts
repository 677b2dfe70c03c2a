import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { Body } from './routes.ts';

export const examples: FeatureExamples = {
  records: {
    slice_model: {
      path: '/api/pages/{project_id}/slice-model/{id}',
      createdBy: 'slice_models.put',
      shown: 'hero',
      absent: randomUUID,
    },
  },
  requests: {
    'slice_models.list': { query: { searchText: 'hero', 'kind[]': 'section', 'tags[]': 'picture' } },
    'slice_models.put': body(Body)((name) => ({
      id: name('slice_model'),
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
          columns: [{ allow: ['card'] }],
        },
      ],
    })),
  },
};
