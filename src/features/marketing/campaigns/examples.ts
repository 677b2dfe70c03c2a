import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { emails } from './emails/resource.ts';
import { CloneBody } from './emails/schema.ts';
import {
  CampaignEngagementQuery,
  MetricQuery,
  MetricsBody,
  SubscriberEngagementQuery,
} from './figures/schema.ts';
import { campaigns } from './resource.ts';
import { CampaignQuery } from './schema.ts';

const spring: Static<typeof campaigns.replaceBody> = {
  name: 'Spring seeds',
  colour: '#0f766e',
  start_date: '2026-03-01',
  audience: 'Gardeners who bought seeds before',
};
const email = (name: NameOf): Static<typeof emails.replaceBody> => ({
  name: 'First email',
  subject: 'Seeds are here, {{subscriber.first_name}}',
  from_email: `shop@${name('sender_domain')}`,
  content: {
    html: '<p>Hello {{subscriber.first_name}}.</p><p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>',
  },
  list_ids: [name('list')],
});
/** Uses another email than the path of the record, because the operation changes its state. */
const ofEmail = (record: string) => ({ params: (name: NameOf) => ({ id: name(record) }) });

export const examples: FeatureExamples = {
  records: {
    campaign: {
      path: '/api/campaigns/{code}',
      createdBy: 'campaigns.create',
      shown: 'SUMMER-2026',
      absent: () => `C-${randomUUID().toUpperCase()}`,
    },
    campaign_email: {
      path: '/api/campaigns/{campaign_code}/emails/{id}',
      createdBy: 'campaign_emails.create',
      absent: randomUUID,
    },
    sent_email: { absent: randomUUID },
    scheduled_email: { absent: randomUUID },
    cancelled_email: { absent: randomUUID },
    clicked_email: { absent: randomUUID },
    reader: { absent: randomUUID },
    stranger: { absent: () => `nobody-${randomUUID()}@example.com` },
  },
  requests: {
    'campaigns.create': body(campaigns.createBody)((_name, unique) => ({
      code: unique('SPRING-2026'),
      ...spring,
    })),
    'campaigns.replace': body(campaigns.replaceBody)(spring),
    'campaigns.list': body(CampaignQuery)((name) => ({
      page: 1,
      limit: 20,
      filters: { start_date: { gte: '2026-01-01' }, business_unit: { equals: name('unit') } },
    })),
    'campaign_emails.create': body(emails.createBody)(email),
    'campaign_emails.replace': body(emails.replaceBody)(email),
    'campaign_emails.clone': body(CloneBody)((name) => ({ target_campaign_code: name('campaign') })),
    'campaign_emails.process': ofEmail('sent_email'),
    'campaign_emails.cancel': ofEmail('cancelled_email'),
    'campaign_emails.convert_to_draft': ofEmail('scheduled_email'),
    'campaign_emails.test': { body: { to: ['ada@example.com'] } },
    'campaign_emails.retry_failed': ofEmail('clicked_email'),
    'campaign_emails.tell_story': { params: (name) => ({ recipient: name('stranger') }) },
    'campaign_emails.preview': { params: { token: 'none' } },
    'campaign_emails.view': { params: { token: 'none' } },
    'campaign_figures.query': body(MetricQuery)({ query: { name: 'getMarketingEmailOpenRate' } }),
    'campaign_figures.list': body(MetricsBody)((name) => ({ marketing_email_ids: [name('campaign_email')] })),
    'campaign_figures.engagements': body(CampaignEngagementQuery)({ page: 1, limit: 20 }),
    'campaign_figures.of_subscriber': {
      params: (name) => ({ subscriberId: name('reader') }),
      ...body(SubscriberEngagementQuery)({ page: 1, limit: 20, filters: {} }),
    },
  },
};
