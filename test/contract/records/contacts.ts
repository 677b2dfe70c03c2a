import { randomUUID } from 'node:crypto';
import { actingIn } from '../../harness/members.ts';
import { eventually } from '../../harness/poll.ts';
import type { Makers } from '../record-maker.ts';

/** Records of contacts, marketing events and exports. */
export const contactRecords: Makers = {
  // A subscriber who has chosen subscription types.
  subscriber: async ({ tenant, record, body }) => {
    const subscription_updates = [
      { subscription_type_id: await record('subscription_type'), subscribe: false },
    ];
    const chosen = { ...(await body('subscribers.create')), subscription_updates };
    return (await tenant.api.post('/api/subscribers', chosen)).body.id;
  },
  erased_subscriber: async ({ tenant: { api }, body }) => {
    const subscriber = await body('subscribers.create');
    const { id } = (await api.post('/api/subscribers', subscriber)).body;
    await api.post('/api/email_settings/suppressions', { recipient: subscriber.email, type: 'bounce' });
    await api.delete(`/api/subscribers/${id}`);
    return id;
  },
  // A subscriber who has to confirm the subscription, named by the submission.
  sign_up: async ({ tenant: { api }, record, body }) => {
    await record('sender_domain');
    const subscriber_mapping = { enabled: true, double_opt_in: true };
    const form = { ...(await body('forms.create')), subscriber_mapping };
    const submission = {
      ...(await body('form_submissions.create')),
      form_code: (await api.post('/api/forms', form)).body.code,
      email_address: `ada-${randomUUID()}@example.com`,
    };
    return (await api.post('/api/form_submissions', submission)).body.submission_id;
  },
  subscriber_import: async ({ tenant, record }) => {
    const api = await actingIn(tenant.api, await record('unit'));
    const path = `/api/subscribers/import?mode=insert&list_id=${await record('list')}`;
    const rawBody = `email,first_name\nada-${randomUUID()}@example.com,Ada\n`;
    const headers = { 'content-type': 'text/csv' };
    return (await api.post(path, undefined, 200, { rawBody, headers })).body.import_id;
  },
  // It has ended, so that it can be cancelled and reverted repeatedly with the same effect.
  operation: async ({ tenant: { api }, record }) => {
    const id = await record('subscriber_import');
    const isEnded = async () => (await api.get(`/api/operations/${id}`)).body.status === 'completed';
    await eventually('the import to end', isEnded);
    return id;
  },
  purchase: async ({ tenant, body }) => {
    await tenant.api.post('/api/marketing_events', await body('marketing_events.create'));
    return randomUUID();
  },
};
