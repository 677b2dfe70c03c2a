import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { lists } from './resource.ts';

const newsletter = { name: 'Newsletter', description: 'Once a month' };

export const examples: FeatureExamples = {
  records: { list: { path: '/api/lists/{id}', createdBy: 'lists.create', absent: randomUUID } },
  requests: {
    'lists.create': body(lists.createBody)(newsletter),
    'lists.replace': body(lists.replaceBody)(newsletter),
  },
};
