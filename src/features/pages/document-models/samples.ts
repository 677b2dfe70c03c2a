import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { project } from '../projects/samples.ts';

const body = (id: string) => ({
  id,
  label: 'Page',
  format: 'page',
  repeatable: true,
  status: true,
  json: { Main: { body: { type: 'Slices', config: { choices: { hero: { type: 'SharedSlice' } } } } } },
});

/** A document model. */
export const documentModel: Sample = {
  needs: [project],
  make: async ({ tenant, name }) =>
    (await tenant.api.put(`/api/pages/${name(project)}/document-model`, body(randomUUID()))).body.id,
  absent: randomUUID,
};

const inProject = (name: NameOf) => ({ project_id: name(project) });
const one = (name: NameOf) => ({ ...inProject(name), id: name(documentModel) });

export const samples: FeatureSamples = {
  records: [documentModel],
  requests: {
    'document_models.list': (name) => ({
      params: inProject(name),
      query: { searchText: 'page', limit: '10' },
    }),
    'document_models.get': (name) => ({ params: one(name) }),
    'document_models.put': (name) => ({ params: inProject(name), body: body(name(documentModel)) }),
    'document_models.delete': (name) => ({ params: one(name) }),
  },
};
