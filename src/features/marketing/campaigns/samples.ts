import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { listSample } from '../../contacts/subscriber-groups/samples.ts';
import { senderDomain } from '../../mail/email-settings/samples.ts';
import { unit } from '../../tenancy/business-units/samples.ts';

const newCode = () => `C-${randomUUID().toUpperCase()}`;

const body = (name: NameOf) => ({
  name: 'Spring seeds',
  colour: '#0f766e',
  start_date: '2026-03-01',
  audience: 'Gardeners',
  business_unit: name(unit),
});

/** A campaign. */
const campaign: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) =>
    (await tenant.api.post('/api/campaigns', { ...body(name), code: newCode() })).body.code,
  absent: newCode,
};

const emailBody = (name: NameOf, listId = name(listSample)) => ({
  name: 'First',
  subject: 'Seeds',
  from_email: `shop@${name(senderDomain)}`,
  content: { html: '<p>Seeds</p>' },
  list_ids: [listId],
});

/** A draft. */
const email: Sample = {
  needs: [campaign, listSample, senderDomain],
  make: async ({ tenant, name }) =>
    (await tenant.api.post(`/api/campaigns/${name(campaign)}/emails`, emailBody(name))).body.id,
  absent: randomUUID,
};

/** A scheduled e-mail without recipients. */
const waiting: Sample = {
  needs: [campaign],
  make: async ({ tenant, name }) => {
    const path = `/api/campaigns/${name(campaign)}/emails`;
    return (await tenant.api.post(path, { name: 'None', subject: 'None', status: 'Ready' })).body.id;
  },
  absent: randomUUID,
};

/** One that was sent, so that there is a job. */
const sent: Sample = {
  ...waiting,
  make: async (world) => {
    const id = await waiting.make(world);
    await world.tenant.api.get(`/api/campaigns/${world.name(campaign)}/emails/${id}/process`);
    return id;
  },
};

/** A paused and a cancelled e-mail. */
const stopped: Sample = { ...waiting };
const takenBack: Sample = { ...waiting };

/** An e-mail whose link led to a purchase. */
const followed: Sample = {
  needs: [campaign, senderDomain, unit],
  make: async ({ tenant: { api, operator }, name }) => {
    const inUnit = { business_unit: name(unit) };
    const { id: listId } = (await api.post('/api/lists', { name: 'Buyers', ...inUnit })).body;
    const address = `buyer-${randomUUID()}@example.com`;
    const person = { first_name: 'Grace', email: address, active: true, lists: [listId], audiences: [] };
    await api.post('/api/subscribers', { ...person, ...inUnit });
    const emails = `/api/campaigns/${name(campaign)}/emails`;
    const html = '<a href="https://shop.example/">Buy</a>';
    const email = { ...emailBody(name, listId), content: { html }, status: 'Ready' };
    const { id } = (await api.post(emails, email)).body;
    await api.get(`${emails}/${id}/process`);
    const mailId = await eventually('the mail in the outbox', async () => {
      const { results } = (await operator.get(`/admin/outbox?to=${address}`)).body;
      return results[0] && String(results[0].id);
    });
    const [link = ''] = /\/t\/c\/[^"]+/.exec((await operator.get(`/admin/outbox/${mailId}`)).body.html) ?? [];
    await operator.send('GET', link);
    // A running sending would change the answers of reads.
    await eventually('the click, and the end of the sending', async () => {
      const { metrics, status } = (await api.get(`${emails}/${id}`)).body;
      return metrics.clicked === 1 && status === 'Sent';
    });
    const purchase = { type: 'purchase', email: address, amount: 1, marketing_email_id: id };
    await api.post('/api/marketing_events', { events: [purchase] });
    return id;
  },
  absent: randomUUID,
};

/** The subscriber who followed it. */
const reader: Sample = {
  needs: [campaign, followed],
  make: async ({ tenant: { api }, name }) => {
    const filters = { marketingEmailId: name(followed) };
    const path = `/api/campaigns/${name(campaign)}/engagements`;
    return (await api.post(path, { page: 1, limit: 1, filters })).body.results[0].subscriber_id;
  },
  absent: randomUUID,
};

/** A subscriber who is in no list. */
const stranger: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) => {
    const email = `stranger-${randomUUID()}@example.com`;
    const body = {
      first_name: 'Eve',
      email,
      active: true,
      lists: [],
      audiences: [],
      business_unit: name(unit),
    };
    await tenant.api.post('/api/subscribers', body);
    return email;
  },
  absent: () => `nobody-${randomUUID()}@example.com`,
};

const ofEmail = (name: NameOf) => ({ campaign_code: name(campaign), id: name(email) });
const ofMarketingEmail = (name: NameOf) => ({
  campaign_code: name(campaign),
  marketing_email_id: name(email),
});
const ofCode = (name: NameOf) => ({ code: name(campaign), id: name(email) });
const page = { page: 1, limit: 10 };

export const samples: FeatureSamples = {
  records: [campaign, email, sent, stopped, takenBack, followed, reader, stranger],
  requests: {
    'campaigns.create': (name) => ({ body: { ...body(name), code: newCode() } }),
    'campaigns.list': (name) => ({ body: { ...page, filters: { business_unit: { equals: name(unit) } } } }),
    'campaigns.get': (name) => ({ params: { code: name(campaign) } }),
    'campaigns.replace': (name) => ({ params: { code: name(campaign) }, body: body(name) }),
    'campaigns.delete': (name) => ({ params: { code: name(campaign) } }),
    'campaign_emails.create': (name) => ({
      params: { campaign_code: name(campaign) },
      body: emailBody(name),
    }),
    'campaign_emails.list': (name) => ({ params: { campaign_code: name(campaign) } }),
    'campaign_emails.get': (name) => ({ params: ofEmail(name) }),
    'campaign_emails.replace': (name) => ({ params: ofEmail(name), body: emailBody(name) }),
    'campaign_emails.delete': (name) => ({ params: ofEmail(name) }),
    'campaign_emails.clone': (name) => ({
      params: ofMarketingEmail(name),
      body: { target_campaign_code: name(campaign) },
    }),
    'campaign_emails.process': (name) => ({ params: { campaign_code: name(campaign), id: name(sent) } }),
    'campaign_emails.cancel': (name) => ({ params: { code: name(campaign), id: name(stopped) } }),
    'campaign_emails.convert_to_draft': (name) => ({
      params: { campaign_code: name(campaign), id: name(takenBack) },
    }),
    'campaign_emails.test': (name) => ({ params: ofCode(name), body: { to: ['ada@example.com'] } }),
    'campaign_emails.retry_failed': (name) => ({
      params: { code: name(campaign), id: name(followed) },
    }),
    'campaign_emails.preflight': (name) => ({ params: ofCode(name) }),
    'campaign_emails.tell_story': (name) => ({
      params: { ...ofCode(name), recipient: name(stranger) },
    }),
    'campaign_emails.preview': () => ({ params: { token: 'none' } }),
    'campaign_emails.view': () => ({ params: { token: 'none' } }),
    'campaign_figures.query': (name) => ({
      params: ofMarketingEmail(name),
      body: { query: { name: 'getMarketingEmailOpenRate' } },
    }),
    'campaign_figures.list': (name) => ({
      params: { campaign_code: name(campaign) },
      body: { marketing_email_ids: [name(email)] },
    }),
    'campaign_figures.clicked_links': (name) => ({ params: ofMarketingEmail(name) }),
    'campaign_figures.engagements': (name) => ({ params: { campaignCode: name(campaign) }, body: page }),
    'campaign_figures.of_subscriber': (name) => ({
      params: { subscriberId: name(reader) },
      body: { ...page, filters: {} },
    }),
  },
};
