import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { submit } from '../../../../test/harness/sample-forms.ts';
import { hookedForm as form } from '../forms/samples.ts';

/** URL of a receiver that accepts everything. */
export const receiver: Sample = { make: async ({ receiverUrl }) => receiverUrl };

const body = (name: NameOf) => ({
  event: { event_type: 'form.submission', form_code: name(form) },
  name: 'Hook',
  target: { url: name(receiver) },
});

export const webhook: Sample = {
  needs: [form, receiver],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/webhooks', body(name))).body.id,
  absent: randomUUID,
};

const delivery: Sample = {
  needs: [webhook, form],
  make: async ({ tenant: { api }, name }) => {
    await submit(api, name(form));
    return eventually('the delivery', async () => {
      const { results } = (await api.get(`/api/webhooks/${name(webhook)}/deliveries`)).body;
      return results[0]?.status === 'success' && String(results[0].id);
    });
  },
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(webhook) });

export const samples: FeatureSamples = {
  records: [webhook, delivery],
  requests: {
    'webhooks.create': (name) => ({ body: body(name) }),
    'webhooks.list': (name) => ({ query: { form_code: name(form) } }),
    'webhooks.get': (name) => ({ params: params(name) }),
    'webhooks.replace': (name) => ({
      params: params(name),
      body: { name: 'Replaced', target: { url: name(receiver) } },
    }),
    'webhooks.delete': (name) => ({ params: params(name) }),
    'webhooks.test': (name) => ({ params: params(name) }),
    'webhooks.list_deliveries': (name) => ({ params: params(name), query: { page: '1', limit: '5' } }),
    'webhooks.redeliver': (name) => ({ params: { ...params(name), delivery_id: name(delivery) } }),
  },
};
