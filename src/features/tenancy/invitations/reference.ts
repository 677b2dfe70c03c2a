import type { ReferenceTexts } from '../../feature.ts';

/** Bodies to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'invitations.accept': { name: 'Grace Hopper', password: 'a long sentence is a good one' },
    'invitations.submit': 'name=Grace+Hopper&password=a+long+sentence+is+a+good+one',
  },
};
