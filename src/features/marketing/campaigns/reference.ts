import type { ReferenceTexts } from '../../feature.ts';

const campaign = {
  code: 'SPRING-2026',
  name: 'Spring seeds',
  colour: '#0f766e',
  start_date: '2026-03-01',
  audience: 'Gardeners who bought seeds before',
};
const { code: _code, ...replaced } = campaign;

const email = {
  name: 'First e-mail',
  subject: 'Seeds are here, {{subscriber.first_name}}',
  status: 'Ready',
  from_email: 'shop@example.com',
  content: {
    html: '<p>Hello {{subscriber.first_name}}.</p><p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>',
  },
  list_ids: [],
};

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: {
    Campaigns: 'Marketing campaigns with figures over all their emails.',
    'Campaign e-mails': 'Emails of campaigns: edit, check, send, cancel.',
    'Campaign figures': 'Engagement with emails: rates, links, activity per recipient.',
  },
  examples: {
    'campaigns.create': campaign,
    'campaigns.replace': replaced,
    'campaigns.list': { page: 1, limit: 20, filters: { start_date: { gte: '2026-01-01' } } },
    'campaign_emails.create': email,
    'campaign_emails.replace': email,
    'campaign_emails.clone': { target_campaign_code: 'SUMMER-2026' },
    'campaign_emails.test': { to: ['ada@example.com'] },
    'campaign_figures.query': { query: { name: 'getMarketingEmailOpenRate' } },
    'campaign_figures.list': { marketing_email_ids: [] },
    'campaign_figures.engagements': { page: 1, limit: 20 },
    'campaign_figures.of_subscriber': { page: 1, limit: 20, filters: {} },
  },
};
