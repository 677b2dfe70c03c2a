import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { ResetCompletion, ResetRequest } from './schema.ts';

const params = (name: NameOf) => ({ token: name('reset_token') });

export const examples: FeatureExamples = {
  records: { reset_token: {} },
  requests: {
    'password_resets.create': body(ResetRequest)({ email: 'ada@acme.example' }),
    'password_resets.get': { params },
    'password_resets.complete': {
      params,
      ...body(ResetCompletion)({ password: 'another sentence, just as long' }),
    },
    'password_resets.page': { params },
    'password_resets.submit': {
      params,
      upload: {
        type: 'application/x-www-form-urlencoded',
        text: 'password=another+sentence%2C+just+as+long',
      },
    },
  },
};
