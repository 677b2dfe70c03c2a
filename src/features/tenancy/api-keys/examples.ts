import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { ApiKeyCreate, OperatorKeyCreate } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    api_key: { path: '/api/client/v1/api-keys/{id}', createdBy: 'api_keys.create', absent: randomUUID },
  },
  requests: {
    'api_keys.create': body(ApiKeyCreate)((name) => ({ name: 'Website', membership_id: name('membership') })),
    'api_keys.create_for_tenant': body(OperatorKeyCreate)({ name: 'Website' }),
  },
};
