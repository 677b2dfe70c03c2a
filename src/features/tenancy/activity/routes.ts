import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { ACTIVITY_FILTERS } from './filters.ts';
import { ActivityPage, ActivityQuery } from './schema.ts';
import { listActivity } from './service.ts';

/** The list of changes (docs/specification/history.md#activity). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'activity.list',
    method: 'POST',
    path: '/api/activity/list',
    summary: 'Lists changes by members and operators, newest first',
    description: 'Changes of all kinds of record except submissions, in the units that the caller can see.',
    tag: 'Entity history',
    access: 'member',
    readsOnly: true,
    filters: ACTIVITY_FILTERS,
    body: ActivityQuery,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: ActivityPage,
    handler: (ctx, { body }) => listActivity(ctx, body),
  }),
];
