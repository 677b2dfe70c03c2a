import type { FeatureExamples } from '../../../http/examples.ts';

/** The path of a hook. Its record supplies `tenant_code`. */
const params = { path: 'orders/paid' };
const body = { event: 'order.paid', order: { number: 1042, total: 59.9 } };

export const examples: FeatureExamples = {
  records: { hook: { path: '/api/hooks/{tenant_code}', absent: () => 'nobody' } },
  requests: {
    'automation_hooks.get': { params },
    'automation_hooks.post': { params, body },
    'automation_hooks.put': { params, body },
  },
};
