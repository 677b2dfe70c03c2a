import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'Signing in': 'Access tokens for users; calls about entity records need one.' },
  examples: {
    'auth.login': { email: 'ada@acme.example', password: 'a long sentence is a good one' },
    'auth.refresh': { refresh_token: '<the refresh_token of the last answer>' },
    'auth.change_password': {
      current_password: 'a long sentence is a good one',
      password: 'another sentence, just as long',
    },
    'users.set_password': { email: 'ada@acme.example' },
    'auth.logout': { refresh_token: '<the refresh_token of the last answer>' },
  },
};
