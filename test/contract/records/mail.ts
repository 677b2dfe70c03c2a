import { actingIn } from '../../harness/members.ts';
import { eventually } from '../../harness/poll.ts';
import type { TestTenant } from '../../harness/test-app.ts';
import { type Makers, newDomain, type World } from '../record-maker.ts';

/** Returns the id of the first mail to an address, once there is one. */
export function mailTo({ operator }: TestTenant, address: string): Promise<string> {
  return eventually('the mail in the outbox', async () => {
    const { results } = (await operator.get(`/admin/outbox?to=${address}`)).body;
    return results[0] && String(results[0].id);
  });
}

/** A transmission that waits, so that it can be cancelled. */
async function waitingTransmission({ body }: World) {
  const scheduled_time = { date: '2100-01-01T09:00:00', timezone: 'UTC' };
  const transmission = await body('transmissions.create');
  return { ...transmission, options: { transactional: true, scheduled_time } };
}

/** Records of mail and its settings. */
export const mailRecords: Makers = {
  sender_domain: async ({ tenant: { operator, code } }) => {
    const domain = newDomain();
    await operator.post(`/admin/tenants/${code}/sending-domains`, { domain, verified: true });
    return domain;
  },
  subscription_type: async ({ tenant, body }) => {
    await tenant.api.put('/api/email_settings', await body('email_settings.replace'));
    return 'news';
  },
  suppression_import: async ({ tenant }) => {
    const rawBody = 'recipient,type\nada@example.com,bounce\n';
    const headers = { 'content-type': 'text/csv' };
    const path = '/api/email_settings/suppressions/import';
    return (await tenant.api.post(path, undefined, 200, { rawBody, headers })).body.import_id;
  },
  transmission: async (world) => {
    const api = await actingIn(world.tenant.api, await world.record('unit'));
    return (await api.post('/api/transmissions', await waitingTransmission(world))).body.transactionId;
  },
  // A sent mail that a webhook was notified of, named by its link.
  unsubscription: async (world) => {
    const { tenant, record } = world;
    const address = `reader@${await record('sender_domain')}`;
    await tenant.api.post('/api/transmissions', {
      ...(await waitingTransmission(world)),
      options: { transactional: false },
      recipients: [
        { address, substitution_data: { first_name: 'Ada' }, tags: [await record('subscription_type')] },
      ],
    });
    const { headers } = (await tenant.operator.get(`/admin/outbox/${await mailTo(tenant, address)}`)).body;
    const [link = ''] = /\/u\/[^>]+/.exec(JSON.stringify(headers)) ?? [];
    await tenant.operator.send('POST', link);
    return link;
  },
  // Of a hook without a signing key.
  hook_token: async ({ tenant }) => {
    const { body } = await tenant.api.post('/api/email_settings/provider_hooks', { provider: 'postmark' });
    return String(body.url).split('/').at(-1) ?? '';
  },
  written_export: async ({ tenant: { api }, record, body }) => {
    await record('sender_domain');
    // Its rows are not subscribers, because erasing a subscriber deletes the files.
    const submissions = { ...(await body('reports.export')), report_type: 'form_submissions', filters: {} };
    const { messageId } = (await api.post('/api/reports/export', submissions)).body;
    await eventually('the export to end', async () => {
      const { status } = (await api.get(`/api/reports/export/${messageId}`)).body;
      return ['sent', 'failed'].includes(status);
    });
    return messageId;
  },
};
