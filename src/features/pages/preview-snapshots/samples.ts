import { randomBytes } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { project } from '../projects/samples.ts';

const body = { snapshot: '{"title":"Not yet"}' };
const path = (name: NameOf) => `/api/pages/${name(project)}/document/home/preview-snapshot`;

const snapshot: Sample = {
  needs: [project],
  make: async ({ tenant, name }) => (await tenant.api.post(path(name), body)).body.token,
  absent: () => `tsp_${randomBytes(16).toString('hex')}_${randomBytes(32).toString('base64url')}`,
};

export const samples: FeatureSamples = {
  records: [snapshot],
  requests: {
    'preview_snapshots.create': (name) => ({
      params: { project_id: name(project), document_id: 'home' },
      body,
    }),
    'preview_snapshots.get': (name) => ({ params: { token: name(snapshot) } }),
  },
};
