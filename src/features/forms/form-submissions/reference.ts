import type { ReferenceTexts } from '../../feature.ts';

/** Introduction and example bodies for the API reference. */
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
