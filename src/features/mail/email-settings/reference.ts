import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: {
    'Email settings': 'Senders and sending domains, subscription types, event webhooks, suppressions.',
  },
  examples: {
    'email_settings.replace': {
      sender_identities: [
        {
          from_name: 'Acme',
          from_email_address: 'hello@mail.acme.example',
          reply_to: '',
          nickname: 'Acme',
        },
      ],
      whitelist_recipient_rules: [{ domain_name: 'acme.example', active: true }],
      subscription_types: [
        { id: 'news', name: 'News', description: 'What is new, once a month', active: true },
      ],
      subscriber_additional_fields: { city: { label: 'City', type: 'text', order: 1 } },
      sandbox_mode: false,
    },
    'sending_domains.create': { domain: 'mail.acme.example' },
    'suppressions.create': {
      recipient: 'ada@example.com',
      type: 'unsubscribe',
      description: 'Asked on the phone',
    },
    'suppressions.import':
      'recipient,type,description\nada@example.com,unsubscribe,\nbob@example.com,bounce,From the system before\n',
    'sending_domains.vouch': { domain: 'mail.acme.example', verified: true },
  },
};
