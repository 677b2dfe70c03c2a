import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { projects } from './resource.ts';
import { DuplicateBody } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    project: {
      path: ['/api/pages/project_metadata/{id}', '/api/pages/{project_id}', '/api/projects/{project_id}'],
      absent: randomUUID,
    },
    spare_project: { absent: randomUUID },
    derived_project: { absent: randomUUID },
  },
  requests: {
    'projects.list': { query: { name: 'Shop', search: 'shop' } },
    'projects.replace': body(projects.replaceBody)({
      name: 'Shop',
      description: 'The shop of the north',
      redirect_config: { source_domains: ['shop.example'] },
    }),
    'projects.delete': { params: (name) => ({ id: name('spare_project') }) },
    'projects.duplicate': body(DuplicateBody)({ name: 'Shop, south' }),
    'projects.sync_template': { params: (name) => ({ id: name('derived_project') }) },
  },
};
