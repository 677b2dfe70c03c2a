import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { Acceptance } from './schema.ts';

const params = (name: NameOf) => ({ token: name('invitation_token') });

export const examples: FeatureExamples = {
  records: { invitation_token: {} },
  requests: {
    'invitations.get': { params },
    'invitations.accept': {
      params,
      ...body(Acceptance)({ name: 'Grace Hopper', password: 'correct horse battery staple' }),
    },
    'invitations.page': { params },
    'invitations.submit': {
      params,
      upload: {
        type: 'application/x-www-form-urlencoded',
        text: 'name=Grace+Hopper&password=correct+horse+battery+staple',
      },
    },
  },
};
