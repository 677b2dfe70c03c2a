import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { unit } from '../../tenancy/business-units/samples.ts';

const body = (name: NameOf) => ({
  name: 'Site',
  description: 'A site',
  business_unit_id: name(unit),
  redirect_config: { source_domains: ['site.example'] },
});

/** A project of the samples' unit. */
export const project: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) =>
    (await tenant.api.put(`/api/pages/project_metadata/site-${randomUUID()}`, body(name))).body.id,
  absent: randomUUID,
};

/** A project that no other sample uses. */
const doomed: Sample = { ...project };

/** A project with a model, made from a template. */
const derived: Sample = {
  needs: [unit],
  make: async ({ tenant: { api }, name }) => {
    const template = `template-${randomUUID()}`;
    const path = `/api/pages/project_metadata/${template}`;
    await api.put(path, { ...body(name), is_template: true });
    const model = {
      id: 'page',
      label: 'Page',
      format: 'page',
      repeatable: true,
      status: true,
      json: { Main: {} },
    };
    await api.put(`/api/pages/${template}/document-model`, model);
    return (await api.post(`${path}/duplicate`, { name: 'Copy', business_unit_id: name(unit) })).body.id;
  },
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(project) });

export const samples: FeatureSamples = {
  records: [project, doomed, derived],
  requests: {
    'projects.list': () => ({ query: { name: 'Site', search: 'site' } }),
    'projects.get': (name) => ({ params: params(name) }),
    'projects.replace': (name) => ({ params: params(name), body: body(name) }),
    'projects.delete': (name) => ({ params: { id: name(doomed) } }),
    'projects.duplicate': (name) => ({
      params: params(name),
      body: { name: 'Copy', business_unit_id: name(unit) },
    }),
    'projects.sync_template': (name) => ({ params: { id: name(derived) } }),
  },
};
