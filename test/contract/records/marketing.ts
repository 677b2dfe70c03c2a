import { randomUUID } from 'node:crypto';
import { eventually } from '../../harness/poll.ts';
import type { Maker, Makers } from '../record-maker.ts';
import { mailTo } from './mail.ts';

/** Creates a scheduled email without recipients. */
const scheduledEmail: Maker = async ({ tenant, record }) => {
  const path = `/api/campaigns/${await record('campaign')}/emails`;
  return (await tenant.api.post(path, { name: 'None', subject: 'None', status: 'Ready' })).body.id;
};

/** Records of campaigns and journeys. */
export const marketingRecords: Makers = {
  scheduled_email: scheduledEmail,
  cancelled_email: scheduledEmail,
  sent_email: async (world) => {
    const id = await scheduledEmail(world);
    await world.tenant.api.get(`/api/campaigns/${await world.record('campaign')}/emails/${id}/process`);
    return id;
  },
  // Its link led to a purchase.
  clicked_email: async ({ tenant, record, body }) => {
    const { api, operator } = tenant;
    const { id: listId } = (await api.post('/api/lists', await body('lists.create'))).body;
    const subscriber = { ...(await body('subscribers.create')), lists: [listId], audiences: [] };
    const address = `buyer-${randomUUID()}@example.com`;
    await api.post('/api/subscribers', { ...subscriber, email: address });
    const emails = `/api/campaigns/${await record('campaign')}/emails`;
    const content = { html: '<a href="https://shop.example/">Buy</a>' };
    const email = { ...(await body('campaign_emails.create')), list_ids: [listId], content, status: 'Ready' };
    const { id } = (await api.post(emails, email)).body;
    await api.get(`${emails}/${id}/process`);
    const mail = (await operator.get(`/admin/outbox/${await mailTo(tenant, address)}`)).body;
    const [link = ''] = /\/t\/c\/[^"]+/.exec(mail.html) ?? [];
    await operator.send('GET', link);
    // An unfinished sending would change the responses of reads.
    await eventually('the click, and the end of the sending', async () => {
      const { metrics, status } = (await api.get(`${emails}/${id}`)).body;
      return metrics.clicked === 1 && status === 'Sent';
    });
    const purchase = { type: 'purchase', email: address, amount: 1, marketing_email_id: id };
    await api.post('/api/marketing_events', { events: [purchase] });
    return id;
  },
  // The subscriber who followed that link.
  reader: async ({ tenant: { api }, record }) => {
    const filters = { marketingEmailId: await record('clicked_email') };
    const path = `/api/campaigns/${await record('campaign')}/engagements`;
    return (await api.post(path, { page: 1, limit: 1, filters })).body.results[0].subscriber_id;
  },
  // A subscriber who is in no list.
  stranger: async ({ tenant, body }) => {
    const subscriber = { ...(await body('subscribers.create')), lists: [], audiences: [] };
    const email = `stranger-${randomUUID()}@example.com`;
    await tenant.api.post('/api/subscribers', { ...subscriber, email });
    return email;
  },
  enrollment: async ({ tenant, record, body }) => {
    const path = `/api/journeys/${await record('entered_journey')}/enter`;
    return (await tenant.api.post(path, await body('journeys.enter'))).body.state_id;
  },
  mailed_journey: async ({ tenant: { api }, body }) => {
    const template = await body('templates.create');
    const { id: template_id } = (await api.post('/api/templates', template)).body;
    await api.post(`/api/templates/${template_id}/versions`, await body('templates.create_version'));
    const steps = [{ key: 'mail', type: 'send_email', template_id }];
    const { id } = (await api.post('/api/journeys', { ...(await body('journeys.create')), steps })).body;
    const { state_id } = (await api.post(`/api/journeys/${id}/enter`, await body('journeys.enter'))).body;
    const path = `/api/journeys/${id}/states/${state_id}`;
    await eventually('the mail', async () => (await api.get(path)).body.status !== 'active');
    return id;
  },
  // Deleted while it had an enrollment.
  deleted_journey: async ({ tenant: { api }, body }) => {
    const { id } = (await api.post('/api/journeys', await body('journeys.create'))).body;
    await api.post(`/api/journeys/${id}/enter`, await body('journeys.enter'));
    await api.delete(`/api/journeys/${id}`);
    return id;
  },
};
