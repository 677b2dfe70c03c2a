import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { project } from '../projects/samples.ts';

const body = (id: string) => ({
  id,
  name: 'Hero',
  tags: ['picture'],
  variations: [{ id: 'default', columns: [{ allow: ['card'] }] }],
});

/** A bespoke slice. */
export const sliceModel: Sample = {
  needs: [project],
  make: async ({ tenant, name }) =>
    (await tenant.api.put(`/api/pages/${name(project)}/slice-model`, body(randomUUID()))).body.id,
  absent: randomUUID,
};

const inProject = (name: NameOf) => ({ project_id: name(project) });
const one = (name: NameOf) => ({ ...inProject(name), id: name(sliceModel) });

export const samples: FeatureSamples = {
  records: [sliceModel],
  requests: {
    'slice_models.list': (name) => ({
      params: inProject(name),
      query: { searchText: 'hero', 'kind[]': 'section', 'tags[]': 'picture' },
    }),
    'slice_models.get': (name) => ({ params: one(name) }),
    'slice_models.put': (name) => ({ params: inProject(name), body: body(name(sliceModel)) }),
    'slice_models.delete': (name) => ({ params: one(name) }),
  },
};
