import Type from 'typebox';
import { INVALID_REQUEST, NOT_FOUND } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { TimelineSource } from '../../timeline/timeline-source.ts';
import { Timeline, TimelineQuery } from './schema.ts';
import { readTimeline } from './service.ts';

/** The timeline of a subscriber (docs/specification/subscribers.md#timeline). */
export const timelineRoutes = (sources: readonly TimelineSource[]): readonly Route[] => [
  defineRoute({
    id: 'subscribers.timeline',
    tag: 'Subscribers',
    method: 'GET',
    path: '/api/subscribers/{id}/timeline',
    summary: 'Lists what happened to a subscriber, newest first',
    description: 'Mails, opens and clicks, submissions, journeys, consent and edits that the caller may see.',
    access: 'viewer',
    invalid: INVALID_REQUEST,
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    query: TimelineQuery,
    reply: Timeline,
    handler: (ctx, { params, query }) => readTimeline(ctx, sources, params.id, query),
  }),
];
