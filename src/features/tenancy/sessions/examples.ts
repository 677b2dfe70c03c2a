import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { PasswordChange, PasswordSetBody, RefreshTokenBody, SignIn } from './schema.ts';

const password = 'correct horse battery staple';
const token = (name: NameOf) => ({ refresh_token: name('refresh_token') });

export const examples: FeatureExamples = {
  records: {
    /** The address of a user who can sign in. */
    user: { shown: 'ada@acme.example', absent: () => `nobody-${randomUUID()}@example.com` },
    refresh_token: {
      shown: '<the refresh_token of the last response>',
      absent: () => `tsr_${randomUUID().replaceAll('-', '')}_${'A'.repeat(43)}`,
    },
  },
  requests: {
    'auth.login': body(SignIn)((name) => ({ email: name('user'), password })),
    'auth.refresh': body(RefreshTokenBody)(token),
    'auth.change_password': body(PasswordChange)({
      current_password: 'the current password',
      password: 'another sentence, just as long',
    }),
    'users.set_password': body(PasswordSetBody)((name) => ({ email: name('user'), password })),
    'auth.logout': body(RefreshTokenBody)(token),
  },
};
