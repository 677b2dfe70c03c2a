import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: { Webhooks: 'Where submissions of forms are delivered: targets, tests, the log of deliveries.' },
  examples: {
    'webhooks.create': {
      event: { event_type: 'form.submission', form_code: '<code of a form>' },
      name: 'CRM',
      target: {
        url: 'https://hooks.acme.example/submissions',
        headers: [{ name: 'Authorization', value: 'Bearer secret', is_secret: true }],
      },
      active: true,
      test_data: { hello: 'world' },
    },
    'webhooks.replace': {
      name: 'CRM',
      target: {
        url: 'https://hooks.acme.example/submissions',
        headers: [{ name: 'Authorization', value: 'Bearer secret', is_secret: true }],
      },
      active: true,
      test_data: { hello: 'world' },
    },
  },
};
