import { body, type FeatureExamples } from '../../../http/examples.ts';
import { providerHooks } from './resource.ts';

/** A bounce in Postmark's format. */
const BOUNCE = {
  RecordType: 'Bounce',
  Type: 'HardBounce',
  Email: 'ada@example.com',
  Description: 'The server was unable to deliver your message.',
};

export const examples: FeatureExamples = {
  records: { hook_token: { absent: () => 'altered' } },
  requests: {
    'provider_hooks.create': body(providerHooks.createBody)({
      provider: 'mailgun',
      signing_key: '<HTTP webhook signing key>',
    }),
    'provider_hooks.receive': {
      params: (name) => ({ provider: 'postmark', token: name('hook_token') }),
      upload: { type: 'application/json', text: JSON.stringify(BOUNCE) },
    },
  },
};
