import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { Transmissions: 'Direct email to up to 5,000 recipients, with the status of each message.' },
  examples: {
    'transmissions.create': {
      options: { transactional: true },
      recipients: [
        {
          address: { email: 'ada@example.com', name: 'Ada Lovelace' },
          substitution_data: { first_name: 'Ada' },
        },
      ],
      content: {
        from: 'Acme <hello@mail.acme.example>',
        subject: 'Hello {{first_name}}',
        html: '<p>Hello {{first_name}}.</p>',
      },
    },
  },
};
