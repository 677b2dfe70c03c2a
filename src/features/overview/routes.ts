import { defineRoute, type Route } from '../../http/route.ts';
import type { OverviewPart } from '../../overview/overview-part.ts';
import { Overview } from './schema.ts';
import { readOverview } from './service.ts';

/** The overview of a tenant (docs/specification/overview.md#overview). */
export const overviewRoutes = (parts: readonly OverviewPart[]): readonly Route[] => [
  defineRoute({
    id: 'overview.get',
    method: 'GET',
    path: '/api/overview',
    summary: 'Reads what needs attention, what runs now, and figures of today',
    description: 'Of what the caller sees. Cheap enough to be read once a minute.',
    tag: 'Overview',
    access: 'member',
    reply: Overview,
    handler: (ctx) => readOverview(ctx, parts),
  }),
];
