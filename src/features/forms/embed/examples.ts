import type { FeatureExamples } from '../../../http/examples.ts';

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: {
    /** The form by the code in its public address. */
    public_form: { path: '/embed/{public_code}' },
  },
  requests: {
    'embed.asset': { params: { file: 'embed-page.css' } },
    'embed.page': { query: (name) => ({ theme: name('theme') }) },
    'embed.submit': {
      body: { email_address: 'ada@example.com', form_data: { email: 'ada@example.com', guests: 2 } },
    },
  },
};
