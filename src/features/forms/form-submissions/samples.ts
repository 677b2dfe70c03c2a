import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { goodAnswers } from '../../../../test/harness/sample-forms.ts';
import { form } from '../forms/samples.ts';

const body = (name: NameOf) => ({
  form_code: name(form),
  email_address: 'ada@example.com',
  form_data: goodAnswers,
});

/** A submission with an Idempotency-Key. */
const submission: Sample = {
  needs: [form],
  make: async ({ tenant, name }) => {
    const headers = { 'idempotency-key': randomUUID() };
    const answer = await tenant.api.post('/api/form_submissions', body(name), 200, { headers });
    return answer.body.submission_id;
  },
  absent: randomUUID,
};

export const samples: FeatureSamples = {
  records: [submission],
  requests: {
    'form_submissions.create': (name) => ({ body: body(name) }),
    'form_submissions.list': (name) => ({
      body: { page: 1, limit: 10, filters: { form_code: { operation: 'eq', value: name(form) } } },
    }),
    'form_submissions.get': (name) => ({ params: { id: name(submission) } }),
    'form_submissions.delete': (name) => ({ params: { id: name(submission) } }),
    'form_submissions.erase': () => ({ body: { email_address: 'nobody@example.com' } }),
  },
};
