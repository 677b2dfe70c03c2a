import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { ErasureBody, SubmissionBody } from './schema.ts';

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: { submission: { path: '/api/form_submissions/{id}', absent: randomUUID } },
  requests: {
    'form_submissions.create': body(SubmissionBody)((name) => ({
      form_code: name('form'),
      email_address: 'ada@example.com',
      form_data: { email: 'ada@example.com', guests: 2 },
    })),
    'form_submissions.list': {
      body: (name) => ({
        page: 1,
        limit: 20,
        filters: { form_code: { operation: 'eq', value: name('form') } },
      }),
    },
    'form_submissions.erase': body(ErasureBody)({ email_address: 'bob@example.com' }),
  },
};
