import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { project } from '../projects/samples.ts';

const body = { website_name: 'Shop' };
const path = (name: NameOf) => `/api/pages/${name(project)}/site-settings`;

const settings: Sample = {
  needs: [project],
  make: async ({ tenant, name }) => (await tenant.api.put(path(name), body)).body.id,
};

const params = (name: NameOf) => ({ project_id: name(project) });

export const samples: FeatureSamples = {
  records: [settings],
  requests: {
    'site_settings.get': (name) => ({ params: params(name) }),
    'site_settings.replace': (name) => ({ params: params(name), body }),
  },
};
