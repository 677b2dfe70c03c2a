import Type, { type Static } from 'typebox';
import { listMembers } from '../../../resources/list-queries.ts';
import { nextSchema, Search } from '../../../resources/paging.ts';
import { withMore } from '../../../resources/view.ts';
import { campaigns } from './resource.ts';

const Time = Type.String({ format: 'date-time' });
const Count = (description?: string) => Type.Integer(description === undefined ? {} : { description });
const Rate = Type.Number({ description: '0 to 1.' });

/** Reply to a create. */
export const CampaignCreated = Type.Object(
  { code: Type.String(), id: Type.String(), created_at: Time },
  { title: 'CampaignCreated' },
);
/** Reply to a replace. */
export const CampaignReplaced = Type.Object(
  { code: Type.String(), updated_at: Time },
  { title: 'CampaignUpdated' },
);
/** Reply to a delete. */
export const CampaignDeleted = Type.Object(
  { code: Type.String(), deleted: Type.Boolean() },
  { title: 'CampaignDeleted' },
);

/** Total figures of all emails of a campaign. */
export const CampaignMetrics = Type.Object(
  {
    total_emails_sent: Count('Messages handed to the relay.'),
    total_subscribers_reached: Count('Subscribers with a delivered message.'),
    average_open_rate: Rate,
    average_click_rate: Rate,
    total_conversions: Count('Subscribers with a purchase.'),
    revenue_generated: Type.Number({ description: 'Sum of purchase amounts.' }),
  },
  { title: 'CampaignMetrics' },
);
/** Total figures of all emails of a campaign. */
export type CampaignMetrics = Static<typeof CampaignMetrics>;

/** A campaign with its figures. */
export const CampaignWithMetrics = Type.Unsafe<Static<typeof campaigns.reply> & { metrics: CampaignMetrics }>(
  {
    ...withMore(campaigns.reply, { metrics: CampaignMetrics }),
    title: 'CampaignWithMetrics',
  },
);

/** Filters of a list of campaigns: operators with their values, or `{operation, value}`. */
const CampaignFilters = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'By field (name, business_unit, start_date, end_date, audience), ANDed: `{equals|ne|like|gt|gte|lt|lte|in|nin|between: value, ...}` or `{operation, value}`.',
});

/** Query of a list of campaigns. */
export const CampaignQuery = Type.Object(
  {
    ...listMembers,
    search: Type.Optional(Search),
    filters: Type.Optional(CampaignFilters),
  },
  { title: 'CampaignQuery' },
);
/** Query of a list of campaigns. */
export type CampaignQuery = Static<typeof CampaignQuery>;

/** One page of campaigns. */
export const CampaignList = Type.Object(
  {
    results: Type.Array(campaigns.listReply),
    metadata: Type.Object(
      {
        page: Type.Integer(),
        limit: Type.Integer(),
        total: Type.Optional(Type.Integer({ description: 'Absent with `count: false`.' })),
        total_pages: Type.Optional(Type.Integer({ description: 'Absent with `count: false`.' })),
        next: Type.Optional(nextSchema),
      },
      { title: 'CampaignListMetadata' },
    ),
  },
  { title: 'CampaignList' },
);

/** Path parameters of a campaign. */
export const CampaignParams = Type.Object({ code: Type.String() });
/** Path parameters of a resource in a campaign. */
export const InCampaignParams = Type.Object({ campaign_code: Type.String() });
/** Path parameters of an email. */
export const EmailParams = Type.Object({ campaign_code: Type.String(), id: Type.String() });
/** Path parameters of an email, as other operations name them. */
export const MarketingEmailParams = Type.Object({
  campaign_code: Type.String(),
  marketing_email_id: Type.String(),
});
