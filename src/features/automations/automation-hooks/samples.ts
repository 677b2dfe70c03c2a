import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';

const PATH = 'orders/paid';

/** An automation with a hook. Its name is the tenant's code, which is part of the address. */
const hook: Sample = {
  make: async ({ tenant }) => {
    await tenant.api.post('/api/automations', {
      key: 'when_paid',
      name: 'When paid',
      app: 'shop',
      triggerType: 'webhook',
      triggerParams: { path: `/${PATH}` },
    });
    return tenant.code;
  },
  absent: () => 'nobody',
};

const params = (name: NameOf) => ({ tenant_code: name(hook), path: PATH });
const body = { event: 'order.paid' };

export const samples: FeatureSamples = {
  records: [hook],
  requests: {
    'automation_hooks.get': (name) => ({ params: params(name) }),
    'automation_hooks.post': (name) => ({ params: params(name), body }),
    'automation_hooks.put': (name) => ({ params: params(name), body }),
  },
};
