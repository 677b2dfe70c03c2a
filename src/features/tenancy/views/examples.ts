import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { views } from './resource.ts';

const view = { name: 'Owners', query: 'filter=is_tenant_admin is true' };

export const examples: FeatureExamples = {
  records: {
    view: { path: '/api/client/v1/views/{id}', createdBy: 'views.create', absent: randomUUID },
  },
  requests: {
    'views.list': { query: { screen: 'settings/members' } },
    'views.create': body(views.createBody)({ screen: 'settings/members', ...view }),
    'views.replace': body(views.replaceBody)({ ...view, name: 'Owners of the tenant' }),
  },
};
