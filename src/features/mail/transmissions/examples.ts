import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { TransmissionCreate } from './schema.ts';

const recipient = 'ada@example.com';

export const examples: FeatureExamples = {
  records: { transmission: { path: '/api/transmissions/{id}', absent: randomUUID } },
  requests: {
    'transmissions.create': body(TransmissionCreate)((name) => ({
      options: { transactional: true },
      recipients: [
        {
          address: { email: recipient, name: 'Ada Lovelace' },
          substitution_data: { first_name: 'Ada' },
        },
      ],
      content: {
        from: `Acme <hello@${name('sender_domain')}>`,
        subject: 'Hello {{first_name}}',
        html: '<p>Hello {{first_name}}.</p>',
      },
    })),
    'transmissions.list': { query: { state: 'scheduled', from: '2020-01-01', to: '2100-01-01' } },
    'transmissions.tell_story': { params: { recipient } },
  },
};
