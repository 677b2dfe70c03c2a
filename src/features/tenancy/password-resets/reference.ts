import type { ReferenceTexts } from '../../feature.ts';

/** Bodies to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'password_resets.create': { email: 'ada@acme.example' },
    'password_resets.complete': { password: 'another sentence, just as long' },
    'password_resets.submit': 'password=another+sentence%2C+just+as+long',
  },
};
