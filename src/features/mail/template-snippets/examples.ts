import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples, type NameOf, type Unique } from '../../../http/examples.ts';
import { snippets } from './resource.ts';

const footer = (_name: NameOf, unique: Unique) => ({
  name: unique('footer'),
  content: '<p>Acme, 1 Main Street</p>',
  description: 'At the end of every message',
});

export const examples: FeatureExamples = {
  records: {
    snippet: {
      path: '/api/template_snippets/{id}',
      createdBy: 'template_snippets.create',
      absent: randomUUID,
    },
  },
  requests: {
    'template_snippets.create': body(snippets.createBody)(footer),
    'template_snippets.list': { query: { search: 'footer' } },
    'template_snippets.replace': body(snippets.replaceBody)(footer),
  },
};
