import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { templates, versions } from './resource.ts';
import { CloneBody, PreviewBody } from './schema.ts';

const welcome = (name: NameOf) => ({
  name: 'Welcome',
  from_email: `hello@${name('sender_domain')}`,
  from_name: 'Acme',
  transactional: false,
  open_tracking: true,
  click_tracking: true,
});
const version = {
  active: true,
  subject: 'Welcome, {{first_name}}',
  html_content: '<p>Hello {{first_name}}, <a href="https://acme.example">look around</a>.</p>',
  generate_plain_content: true,
  test_data: { first_name: 'Ada' },
};

export const examples: FeatureExamples = {
  records: {
    template: { path: '/api/templates/{id}', createdBy: 'templates.create', absent: randomUUID },
    template_version: {
      path: '/api/templates/{template_id}/versions/{id}',
      createdBy: 'templates.create_version',
      absent: randomUUID,
    },
  },
  requests: {
    'templates.create': body(templates.createBody)(welcome),
    'templates.list': { query: { name: 'Welcome' } },
    'templates.replace': body(templates.replaceBody)(welcome),
    'templates.create_version': body(versions.replaceBody)(version),
    'templates.replace_version': body(versions.replaceBody)(version),
    'templates.preview': body(PreviewBody)({
      substitution_data: { first_name: 'Ada' },
      content: {
        from: 'hello@mail.acme.example',
        subject: 'Welcome, {{first_name}}',
        html: '<p>Hello {{first_name}}.</p>',
      },
    }),
    'templates.clone': body(CloneBody)((name) => ({ template_id: name('template'), name: 'Welcome, again' })),
  },
};
