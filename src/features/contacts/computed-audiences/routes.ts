import { IN_USE } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import type { Route } from '../../../http/route.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { usageRoute } from '../../../resources/usage.ts';
import { audiences, groupUsage } from '../subscriber-groups/index.ts';
import { checkFilters, computeNew, computeReplaced, dropMembers, prepareAudience } from './service.ts';

const family = {
  path: '/api/audiences',
  id: 'audiences',
  tag: 'Lists and audiences',
  noun: 'audience',
  maxBodyBytes: CONTENT_BODY_BYTES,
};

/** Audiences (docs/specification/subscribers.md#lists-and-audiences). */
export const routes: readonly Route[] = [
  createRoute(audiences, family, {
    description: 'With `filters`, its members are the subscribers of its unit that match all of them.',
    prepare: prepareAudience,
    options: ({ prepared }) => ({ key: prepared.id }),
    columns: (ctx, { body, prepared }) => computeNew(ctx, body, prepared.id),
  }),
  listRoute(audiences, family),
  getRoute(audiences, family),
  usageRoute(audiences, family, (platform) => groupUsage.of(platform)),
  replaceRoute(audiences, family, {
    description:
      'New `filters` recompute the members; without `filters`, only manually added subscribers remain.',
    prepare: checkFilters,
    columns: (ctx, { body }, current) => computeReplaced(ctx, body, current),
  }),
  deleteRoute(audiences, family, {
    summary: 'Deletes an audience and removes its members',
    errors: [IN_USE],
    after: dropMembers,
  }),
];
