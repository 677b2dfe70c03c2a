import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'form_submissions.erase': { email_address: 'ada@example.com' },
    'form_submissions.create': {
      form_code: '<code of a form>',
      email_address: 'ada@example.com',
      form_data: { email: 'ada@example.com', guests: 2 },
    },
  },
};
