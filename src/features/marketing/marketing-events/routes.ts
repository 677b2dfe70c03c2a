import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { EventsBody, EventsGroups, EventsQuery, EventsReply } from './schema.ts';
import { EVENT_CHECKS, QUERY_CHECKS, queryEvents, recordEvents } from './service.ts';

const tag = 'Marketing events';

/** Routes of events that sites report (docs/specification/subscribers.md#marketing-events). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'marketing_events.create',
    method: 'POST',
    path: '/api/marketing_events',
    summary: 'Records page views, purchases and engagement times',
    description: 'Events of unknown subscribers are skipped; `accepted` counts the rest.',
    tag,
    access: 'editor',
    body: EventsBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: EVENT_CHECKS,
    reply: EventsReply,
    write: (ctx, { body }) => recordEvents(ctx, body),
  }),
  defineRoute({
    id: 'marketing_events.query',
    readsOnly: true,
    method: 'POST',
    path: '/api/marketing_events/query',
    summary: 'Counts events of a period by day, type or campaign',
    tag,
    access: 'viewer',
    body: EventsQuery,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: QUERY_CHECKS,
    reply: EventsGroups,
    handler: (ctx, { body }) => queryEvents(ctx, body),
  }),
];
