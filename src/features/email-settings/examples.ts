import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../http/examples.ts';
import { settings } from './resource.ts';
import { suppressions } from './suppressions/resource.ts';

const recipient = 'ada@example.com';

export const examples: FeatureExamples = {
  records: {
    /** Every unit of the tenant can send from it. */
    sender_domain: { shown: 'mail.acme.example' },
    sending_domain: {
      path: '/api/email_settings/sending_domains/{domain}',
      createdBy: 'sending_domains.create',
      absent: () => `${randomUUID()}.example`,
    },
    subscription_type: { path: '/api/email_settings/subscription_types/{id}', shown: 'news' },
    suppression_import: { path: '/api/email_settings/suppressions/import/{id}', absent: randomUUID },
  },
  requests: {
    'email_settings.replace': body(settings.replaceBody)((name) => ({
      sender_identities: [
        {
          from_name: 'Acme',
          from_email_address: `hello@${name('sender_domain')}`,
          reply_to: '',
          nickname: 'Acme',
        },
      ],
      whitelist_recipient_rules: [{ domain_name: 'example.com', active: true }],
      subscription_types: [
        { id: 'news', name: 'News', description: 'What is new, once a month', active: true },
      ],
      subscriber_additional_fields: { city: { label: 'City', type: 'text', order: 1 } },
      event_webhooks: [{ name: 'CRM', target: name('receiver'), events: ['delivery'], active: true }],
      sandbox_mode: false,
    })),
    'sender_identities.delete': { params: { from_email_address: recipient } },
    'sending_domains.create': { body: (_name, unique) => ({ domain: unique('mail.acme.example') }) },
    'sending_domains.vouch': {
      body: (_name, unique) => ({ domain: unique('mail.acme.example'), verified: true }),
    },
    'suppressions.list': { query: { page: '1', pageSize: '10', type: 'bounce' } },
    'suppressions.get': { params: { recipient } },
    'suppressions.create': body(suppressions.createBody)({
      recipient: 'bob@example.com',
      type: 'unsubscribe',
      description: 'Requested by phone',
    }),
    'suppressions.import': {
      upload: {
        type: 'text/csv',
        text: `recipient,type,description\n${recipient},unsubscribe,\nbob@example.com,bounce,From the previous system\n`,
      },
    },
    'suppressions.delete': { params: { recipient } },
  },
};
