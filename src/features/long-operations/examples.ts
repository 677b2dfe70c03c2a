import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../http/examples.ts';
import { OperationListQuery, RevertBody } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    operation: { path: '/api/operations/{id}', absent: randomUUID },
  },
  requests: {
    'long_operations.revert': body(RevertBody)({ dry_run: true }),
    'long_operations.list': body(OperationListQuery)({
      page: 1,
      limit: 20,
      filters: { status: { eq: 'running' } },
    }),
  },
};
