import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'Signing in': 'How a person comes by the access token that calls about entity records carry.' },
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
