import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { unit } from '../../tenancy/business-units/samples.ts';
import { senderDomain } from '../email-settings/samples.ts';

const body = (name: NameOf) => ({
  name: 'Template',
  from_email: `hello@${name(senderDomain)}`,
  transactional: true,
  business_unit: name(unit),
});

const VERSION_BODY = { active: true, subject: 'Hi', html_content: '<p>Hi</p>' };

const template: Sample = {
  needs: [unit, senderDomain],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/templates', body(name))).body.id,
  absent: randomUUID,
};

const version: Sample = {
  needs: [template],
  make: async ({ tenant, name }) =>
    (await tenant.api.post(`/api/templates/${name(template)}/versions`, VERSION_BODY)).body.id,
  absent: randomUUID,
};

const ofTemplate = (name: NameOf) => ({ id: name(template) });
const versionsOf = (name: NameOf) => ({ template_id: name(template) });
const ofVersion = (name: NameOf) => ({ ...versionsOf(name), id: name(version) });
const page = { page: '1', limit: '10' };

export const samples: FeatureSamples = {
  records: [template, version],
  requests: {
    'templates.create': (name) => ({ body: body(name) }),
    'templates.list': () => ({ query: { name: 'Template', ...page } }),
    'templates.get': (name) => ({ params: ofTemplate(name) }),
    'templates.replace': (name) => ({ params: ofTemplate(name), body: body(name) }),
    'templates.delete': (name) => ({ params: ofTemplate(name) }),
    'templates.create_version': (name) => ({ params: versionsOf(name), body: VERSION_BODY }),
    'templates.list_versions': (name) => ({ params: versionsOf(name), query: page }),
    'templates.get_version': (name) => ({ params: ofVersion(name) }),
    'templates.replace_version': (name) => ({ params: ofVersion(name), body: VERSION_BODY }),
    'templates.delete_version': (name) => ({ params: ofVersion(name) }),
    'templates.preview': () => ({ body: { content: { from: 'a@example.com', html: '<p>Hi</p>' } } }),
    'templates.clone': (name) => ({ body: { template_id: name(template), name: 'Copy' } }),
  },
};
