import { randomBytes } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { SnapshotBody } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    snapshot: {
      path: '/api/pages/preview/{token}',
      createdBy: 'preview_snapshots.create',
      absent: () => `tsp_${randomBytes(16).toString('hex')}_${randomBytes(32).toString('base64url')}`,
    },
  },
  requests: {
    'preview_snapshots.create': body(SnapshotBody)({ snapshot: '{"title":"Not yet"}' }),
  },
};
