import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { documentModel } from '../document-models/samples.ts';
import { project } from '../projects/samples.ts';

const body = (name: NameOf) => ({
  document_model_id: name(documentModel),
  uid: 'about-us',
  name: 'About us',
  status: 'live',
  data: '{"title":"About us"}',
});

/** A document in the project of the samples. */
export const document: Sample = {
  needs: [project, documentModel],
  make: async ({ tenant, name }) =>
    (await tenant.api.put(`/api/pages/${name(project)}/document/about-${randomUUID()}`, body(name))).body.id,
  absent: randomUUID,
};

const inProject = (name: NameOf) => ({ project_id: name(project) });
const one = (name: NameOf) => ({ ...inProject(name), id: name(document) });

export const samples: FeatureSamples = {
  records: [document],
  requests: {
    'documents.get': (name) => ({ params: inProject(name), query: { id: name(document) } }),
    'documents.list': (name) => ({
      params: inProject(name),
      body: { page: 1, limit: 10, search: 'about', filters: { status: { operation: 'eq', value: 'live' } } },
    }),
    'documents.put': (name) => ({ params: one(name), body: body(name) }),
    'documents.delete': (name) => ({ params: one(name) }),
    'documents.search': (name) => ({
      params: inProject(name),
      body: { search: 'about', document_model_ids: [name(documentModel)], limit: 10 },
    }),
  },
};
