import type { ReferenceTexts } from '../../feature.ts';

/** Introduction and example bodies for the API reference. */
export const reference: ReferenceTexts = {
  tags: { Webhooks: 'Delivery of form submissions: targets, tests, delivery log.' },
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
