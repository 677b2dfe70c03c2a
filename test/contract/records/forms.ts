import { randomUUID } from 'node:crypto';
import { askChallenge, solve } from '../../harness/challenge.ts';
import { createClient } from '../../harness/client.ts';
import { eventually } from '../../harness/poll.ts';
import type { Makers } from '../record-maker.ts';

/** Records of forms. */
export const formRecords: Makers = {
  public_form: async ({ tenant, record }) =>
    (await tenant.api.get(`/api/forms/${await record('form')}`)).body.public_code,
  // With an Idempotency-Key.
  submission: async ({ tenant, body }) => {
    const headers = { 'idempotency-key': randomUUID() };
    const submission = await body('form_submissions.create');
    return (await tenant.api.post('/api/form_submissions', submission, 200, { headers })).body.submission_id;
  },
  // With a solved challenge.
  proven_submission: async ({ tenant: { api }, body }) => {
    const { code } = (await api.post('/api/forms', { ...(await body('forms.create')), challenge: true }))
      .body;
    const { public_code } = (await api.get(`/api/forms/${code}`)).body;
    const visitor = createClient(api.url);
    const headers = solve(await askChallenge(visitor, public_code));
    const submission = await body('embed.submit');
    return (await visitor.post(`/embed/${public_code}/submissions`, submission, 200, { headers })).body
      .submission_id;
  },
  receiver: async ({ receiverUrl }) => receiverUrl,
  delivery: async ({ tenant: { api }, record, body }) => {
    const webhook = await record('webhook');
    const submission = { ...(await body('form_submissions.create')), form_code: await record('hooked_form') };
    await api.post('/api/form_submissions', submission);
    return eventually('the delivery', async () => {
      const { results } = (await api.get(`/api/webhooks/${webhook}/deliveries`)).body;
      return results[0]?.status === 'success' && String(results[0].id);
    });
  },
};
