import type { FeatureSamples, Sample } from '../../../../test/contract/samples.ts';

const KEY = 'every_new_year';

/** An automation with a schedule. */
const schedule: Sample = {
  make: async ({ tenant }) => {
    await tenant.api.post('/api/automations', {
      key: KEY,
      name: 'Every new year',
      app: 'shop',
      triggerType: 'cronJob',
      triggerParams: { cronExpression: '0 0 1 1 *' },
    });
    return KEY;
  },
};

export const samples: FeatureSamples = { records: [schedule], requests: {} };
