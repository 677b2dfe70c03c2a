import type { FeatureSamples, Sample } from '../../../../test/contract/samples.ts';

const postmark = { provider: 'postmark' };

/** The token of a hook without a signing key. */
const hookToken: Sample = {
  make: async ({ tenant }) => {
    const { body } = await tenant.api.post('/api/email_settings/provider_hooks', postmark);
    return String(body.url).split('/').at(-1) ?? '';
  },
  absent: () => 'altered',
};

export const samples: FeatureSamples = {
  records: [hookToken],
  requests: {
    'provider_hooks.create': () => ({ body: { provider: 'ses' } }),
    'provider_hooks.receive': (name) => ({
      params: { ...postmark, token: name(hookToken) },
      upload: { type: 'application/json', text: JSON.stringify({ RecordType: 'Delivery' }) },
    }),
  },
};
