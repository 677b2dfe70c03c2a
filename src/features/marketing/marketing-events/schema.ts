import Type, { type Static } from 'typebox';
import { EVENT_TYPES } from './tables.ts';

const MAX_EVENTS = 1000;
/** Largest amount, so that sums of any number of amounts stay finite. */
const MAX_AMOUNT = 1e12;
/** One year, the longest engagement time. */
const MAX_SECONDS = 366 * 24 * 3600;
const Time = Type.String({ description: 'ISO 8601 date or time.' });

const MarketingEvent = Type.Object(
  {
    type: Type.Enum([...EVENT_TYPES]),
    subscriber_id: Type.Optional(Type.String()),
    email: Type.Optional(Type.String({ description: 'Instead of `subscriber_id`.' })),
    marketing_email_id: Type.Optional(
      Type.String({
        description: 'Email that caused it. Default: the last one clicked within 30 days.',
      }),
    ),
    url: Type.Optional(Type.String({ maxLength: 5000 })),
    amount: Type.Optional(
      Type.Number({ minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT, description: 'For purchases.' }),
    ),
    seconds: Type.Optional(
      Type.Number({ minimum: 0, maximum: MAX_SECONDS, description: 'For engagement_time.' }),
    ),
    occurred_at: Type.Optional(Type.String({ description: 'Default: now.' })),
  },
  { title: 'MarketingEvent' },
);

/** Events that a site reports. */
export const EventsBody = Type.Object(
  { events: Type.Array(MarketingEvent, { minItems: 1, maxItems: MAX_EVENTS }) },
  { title: 'MarketingEvents' },
);
/** Events that a site reports. */
export type EventsBody = Static<typeof EventsBody>;

/** Number of events of known subscribers. */
export const EventsReply = Type.Object({ accepted: Type.Integer() }, { title: 'MarketingEventsAccepted' });

/** Time span, grouping and filters of a query. */
export const EventsQuery = Type.Object(
  {
    from: Time,
    to: Time,
    group_by: Type.Enum(['day', 'type', 'campaign']),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'By field (type, subscriber_id, marketing_email_id, campaign_code), ANDed: a value or `{operation, value}`.',
      }),
    ),
  },
  { title: 'MarketingEventsQuery' },
);
/** Time span, grouping and filters of a query. */
export type EventsQuery = Static<typeof EventsQuery>;

const Group = Type.Object(
  {
    key: Type.String({
      description: 'UTC day, type or campaign code; empty: no campaign.',
    }),
    count: Type.Integer(),
    unique_subscribers: Type.Integer(),
    amount: Type.Number(),
  },
  { title: 'MarketingEventFigure' },
);
/** One group of events. */
export type EventGroup = Static<typeof Group>;

/** All groups, sorted by key. */
export const EventsGroups = Type.Object({ results: Type.Array(Group) }, { title: 'MarketingEventFigures' });
