import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { project } from '../projects/samples.ts';

const body = (path: string) => ({
  source_domain: 'site.example',
  source_url_path: path,
  target_url: '/new',
  redirect_type: '301',
});

/** A redirect of a project. */
const redirect: Sample = {
  needs: [project],
  make: async ({ tenant, name }) => {
    const path = `/api/pages/${name(project)}/redirects`;
    return (await tenant.api.post(path, body(`/old-${randomUUID()}`))).body.id;
  },
  absent: randomUUID,
};

const inProject = (name: NameOf) => ({ project_id: name(project) });
const one = (name: NameOf) => ({ ...inProject(name), id: name(redirect) });

export const samples: FeatureSamples = {
  records: [redirect],
  requests: {
    'redirects.create': (name) => ({ params: inProject(name), body: body(`/old-${randomUUID()}`) }),
    'redirects.list': (name) => ({ params: inProject(name), body: { page: 1, limit: 10 } }),
    'redirects.check': (name) => ({
      params: inProject(name),
      body: { source_domain: 'site.example', source_url_path: '/old' },
    }),
    'redirects.get': (name) => ({ params: one(name) }),
    'redirects.replace': (name) => ({ params: one(name), body: body('/older') }),
    'redirects.delete': (name) => ({ params: one(name) }),
  },
};
