import Type, { type Static } from 'typebox';
import { nullable } from '../../../../http/schemas.ts';
import { listMembers } from '../../../../resources/list-queries.ts';
import { orderedPage, type PageReply } from '../../../../resources/paging.ts';

const Time = Type.String({ format: 'date-time' });
const TimeOrNull = nullable(Time);

/** Metric queries, with the event in the member names of their replies, such as `open_rate`. */
export const METRIC_QUERIES = {
  getMarketingEmailOpenRate: 'open',
  getMarketingEmailClickRate: 'click',
  getMarketingEmailUnsubscribeRate: 'unsubscribe',
  getMarketingEmailBounceRate: 'bounce',
  getMarketingEmailConversionRate: 'conversion',
} as const;
/** Name of a metric query. */
export type MetricQueryName = keyof typeof METRIC_QUERIES;

/** A metric query. */
export const MetricQuery = Type.Object(
  {
    query: Type.Object(
      {
        name: Type.Enum([
          'getMarketingEmailOpenRate',
          'getMarketingEmailClickRate',
          'getMarketingEmailUnsubscribeRate',
          'getMarketingEmailBounceRate',
          'getMarketingEmailConversionRate',
        ]),
      },
      { title: 'NamedMetricQuery' },
    ),
  },
  { title: 'MetricQuery' },
);
/** Reply: `<event>_rate`, `unique_<event>s`, `total_<event>s`, `delivered`, `calculation_time`. */
export const MetricReply = Type.Object(
  {
    queryName: Type.String(),
    result: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
  },
  { title: 'MetricResult' },
);

/** Ids of the emails. */
export const MetricsBody = Type.Object(
  { marketing_email_ids: Type.Array(Type.String(), { maxItems: 1000 }) },
  { title: 'EmailMetricsQuery' },
);

const Figures = Type.Object(
  {
    delivered: Type.Integer(),
    opened: Type.Integer(),
    clicked: Type.Integer(),
    unsubscribed: Type.Integer(),
    bounced: Type.Integer(),
    open_rate: Type.Number(),
    click_rate: Type.Number(),
    unsubscribe_rate: Type.Number(),
    bounce_rate: Type.Number(),
  },
  { title: 'EmailMetrics' },
);
/** Figures by email id. */
export const MetricsOfEmails = Type.Object(
  { metricsByEmailId: Type.Record(Type.String(), Figures) },
  { title: 'MetricsByEmail' },
);
/** Figures of one email. */
export type MetricFigures = Static<typeof Figures>;

/** Clicked links of an email. */
export const ClickedLinks = Type.Object(
  {
    links: Type.Array(
      Type.Object(
        {
          url: Type.String(),
          clicks: Type.Integer(),
          unique_clicks: Type.Integer(),
          first_click: Time,
          last_click: Time,
          click_rate: Type.Number(),
        },
        { title: 'ClickedLink' },
      ),
    ),
    total_clicks: Type.Integer(),
    total_unique_clicks: Type.Integer({ description: 'Number of recipients who clicked.' }),
  },
  { title: 'ClickedLinks' },
);

/** Query of a campaign's engagement records. */
export const CampaignEngagementQuery = Type.Object(
  {
    ...listMembers,
    filters: Type.Optional(
      Type.Object(
        {
          subscriberId: Type.Optional(Type.String()),
          marketingEmailId: Type.Optional(Type.String()),
          hasClickedLinks: Type.Optional(Type.Boolean()),
        },
        { title: 'CampaignEngagementFilters', additionalProperties: false },
      ),
    ),
  },
  { title: 'CampaignEngagementQuery' },
);
/** Query of a campaign's engagement records. */
export type CampaignEngagementQuery = Static<typeof CampaignEngagementQuery>;

/** Query of a subscriber's engagement records. */
export const SubscriberEngagementQuery = Type.Object(
  {
    ...listMembers,
    filters: Type.Object(
      {
        campaignCode: Type.Optional(Type.String()),
        marketingEmailId: Type.Optional(Type.String()),
      },
      { title: 'SubscriberEngagementFilters', additionalProperties: false },
    ),
  },
  { title: 'SubscriberEngagementQuery' },
);
/** Query of a subscriber's engagement records. */
export type SubscriberEngagementQuery = Static<typeof SubscriberEngagementQuery>;

const commonMembers = {
  subscriber_id: Type.String(),
  campaign_code: Type.String(),
  marketing_email_id: Type.String(),
  email_sent_at: TimeOrNull,
  email_delivered_at: TimeOrNull,
};
const behaviour = {
  first_page_view_at: TimeOrNull,
  last_page_view_at: TimeOrNull,
  page_view_count: Type.Integer(),
  total_engagement_time_seconds: Type.Number(),
  first_purchase_at: TimeOrNull,
  last_purchase_at: TimeOrNull,
  purchase_count: Type.Integer(),
};

/** Engagement record in the list of a campaign. */
export const CampaignEngagement = Type.Object(
  {
    ...commonMembers,
    delivery_status: Type.Enum(['pending', 'suppressed', 'failed', 'delivered', 'bounced', 'complained']),
    email_opened_at: TimeOrNull,
    email_clicked_at: TimeOrNull,
    email_unsubscribed_at: TimeOrNull,
    ...behaviour,
  },
  { title: 'CampaignEngagement' },
);
/** Engagement record in the list of a campaign. */
export type CampaignEngagement = Static<typeof CampaignEngagement>;
/** One page of engagement records. */
export const CampaignEngagementList = Type.Unsafe<PageReply<CampaignEngagement>>(
  orderedPage(CampaignEngagement),
);

/** Engagement record in the list of a subscriber. */
export const SubscriberEngagement = Type.Object(
  {
    ...commonMembers,
    delivery_status: Type.Enum(['PENDING', 'SUPPRESSED', 'FAILED', 'DELIVERED', 'BOUNCED', 'COMPLAINED']),
    first_opened_at: TimeOrNull,
    last_opened_at: TimeOrNull,
    open_count: Type.Integer(),
    first_clicked_at: TimeOrNull,
    last_clicked_at: TimeOrNull,
    click_count: Type.Integer(),
    unique_click_count: Type.Integer({ description: 'Distinct links clicked.' }),
    clicked_links: Type.Array(
      Type.Object(
        {
          url: Type.String(),
          count: Type.Integer(),
          first_clicked_at: Time,
          last_clicked_at: Time,
        },
        { title: 'SubscriberClickedLink' },
      ),
    ),
    unsubscribed_at: TimeOrNull,
    ...behaviour,
    total_purchase_amount: Type.Number(),
    engagement_score: Type.Number({ description: '0 to 100.' }),
    updated_at: Time,
    campaign_metadata: Type.Object(
      {
        send_date: TimeOrNull,
        subscription_type: nullable(Type.String({ description: 'Name of the type.' })),
        subject_line: Type.String(),
      },
      { title: 'EngagementCampaign' },
    ),
  },
  { title: 'SubscriberEngagement' },
);
/** Engagement record in the list of a subscriber. */
export type SubscriberEngagement = Static<typeof SubscriberEngagement>;
/** One page of engagement records. */
export const SubscriberEngagementList = Type.Unsafe<PageReply<SubscriberEngagement>>(
  orderedPage(SubscriberEngagement),
);

/** Path parameter of the engagement routes of a campaign; other routes name it `code`. */
export const CampaignCodeParams = Type.Object({ campaignCode: Type.String() });
/** Path parameter of the engagement routes of a subscriber. */
export const SubscriberIdParams = Type.Object({ subscriberId: Type.String() });
