import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../../http/route.ts';
import { sortsOf } from '../../../../resources/list-order.ts';
import { LIST_CHECKS } from '../../../../resources/list-queries.ts';
import { recipientMessages } from '../../../mail/api.ts';
import { CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND, INVALID_CAMPAIGN } from '../errors.ts';
import { InCampaignParams, MarketingEmailParams } from '../schema.ts';
import { listCampaignEngagements, listSubscriberEngagements } from './engagements.ts';
import {
  CampaignCodeParams,
  CampaignEngagementList,
  CampaignEngagementQuery,
  ClickedLinks,
  MetricQuery,
  MetricReply,
  MetricsBody,
  MetricsOfEmails,
  SubscriberEngagementList,
  SubscriberEngagementQuery,
  SubscriberIdParams,
} from './schema.ts';
import { listClickedLinks, listMetrics, runMetricQuery } from './service.ts';

const area = { tag: 'Campaign figures', access: 'member', invalid: INVALID_CAMPAIGN } as const;
/** Sort options: the creation time of the messages. */
const sorts = sortsOf(recipientMessages.listedMessages);
const notFound = [CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND];

/** Routes of figures of emails (docs/specification/campaigns.md#figures). */
export const figureRoutes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'campaign_figures.query',
    readsOnly: true,
    method: 'POST',
    path: '/api/campaigns/{campaign_code}/emails/{marketing_email_id}/metrics',
    summary: 'Queries the figures of one email',
    errors: notFound,
    params: MarketingEmailParams,
    body: MetricQuery,
    reply: MetricReply,
    handler: (ctx, { params, body }) =>
      runMetricQuery(ctx, params.campaign_code, params.marketing_email_id, body.query.name),
  }),
  defineRoute({
    ...area,
    id: 'campaign_figures.list',
    readsOnly: true,
    method: 'POST',
    path: '/api/campaigns/{campaign_code}/emails/metrics',
    summary: 'Reads the figures of several emails',
    errors: [CAMPAIGN_NOT_FOUND],
    params: InCampaignParams,
    body: MetricsBody,
    reply: MetricsOfEmails,
    handler: (ctx, { params, body }) => listMetrics(ctx, params.campaign_code, body.marketing_email_ids),
  }),
  defineRoute({
    ...area,
    id: 'campaign_figures.clicked_links',
    method: 'GET',
    path: '/api/campaigns/{campaign_code}/emails/{marketing_email_id}/clicked-links-data',
    summary: 'Lists the clicked links of an email',
    errors: notFound,
    params: MarketingEmailParams,
    reply: ClickedLinks,
    handler: (ctx, { params }) => listClickedLinks(ctx, params.campaign_code, params.marketing_email_id),
  }),
  defineRoute({
    tag: area.tag,
    access: area.access,
    id: 'campaign_figures.engagements',
    readsOnly: true,
    method: 'POST',
    path: '/api/campaigns/{campaignCode}/engagements',
    summary: 'Lists the engagement of all recipients of a campaign',
    errors: [CAMPAIGN_NOT_FOUND],
    params: CampaignCodeParams,
    body: CampaignEngagementQuery,
    checks: LIST_CHECKS,
    sorts,
    reply: CampaignEngagementList,
    handler: (ctx, { params, body }) => listCampaignEngagements(ctx, params.campaignCode, body),
  }),
  defineRoute({
    tag: area.tag,
    access: area.access,
    id: 'campaign_figures.of_subscriber',
    readsOnly: true,
    method: 'POST',
    path: '/api/subscribers/{subscriberId}/engagements',
    summary: "Lists a subscriber's engagement with emails",
    errors: [NOT_FOUND],
    params: SubscriberIdParams,
    body: SubscriberEngagementQuery,
    checks: LIST_CHECKS,
    sorts,
    reply: SubscriberEngagementList,
    handler: (ctx, { params, body }) => listSubscriberEngagements(ctx, params.subscriberId, body),
  }),
];
