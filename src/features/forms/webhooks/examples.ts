import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { webhookResource } from './resource.ts';

const crm = (name: NameOf) => ({
  name: 'CRM',
  target: {
    url: name('receiver'),
    headers: [{ name: 'Authorization', value: 'Bearer secret', is_secret: true }],
  },
  active: true,
  test_data: { hello: 'world' },
});

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: {
    /** A URL that accepts everything. */
    receiver: { shown: 'https://hooks.acme.example/submissions' },
    webhook: { path: '/api/webhooks/{id}', createdBy: 'webhooks.create', absent: randomUUID },
    delivery: {
      path: ['/api/webhooks/{id}/deliveries/{delivery_id}', '/api/deliveries/{id}'],
      absent: randomUUID,
    },
  },
  requests: {
    'webhooks.create': body(webhookResource.createBody)((name) => ({
      event: { event_type: 'form.submission', form_code: name('hooked_form') },
      ...crm(name),
    })),
    'webhooks.list': { query: (name) => ({ form_code: name('hooked_form') }) },
    'webhooks.replace': body(webhookResource.replaceBody)(crm),
  },
};
