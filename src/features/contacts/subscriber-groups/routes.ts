import { IN_USE } from '../../../errors/platform-errors.ts';
import type { Route } from '../../../http/route.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { usageRoute } from '../../../resources/usage.ts';
import { requestComputationsUsing } from './computations.ts';
import { removeMembers } from './members.ts';
import { lists } from './resource.ts';
import { groupUsage } from './usage.ts';
import { refuseUsedGroup } from './uses.ts';

const family = { path: '/api/lists', id: 'lists', tag: 'Lists and audiences', noun: 'list' };

/** Lists (docs/specification/subscribers.md#lists-and-audiences). */
export const routes: readonly Route[] = [
  createRoute(lists, family),
  listRoute(lists, family),
  getRoute(lists, family),
  usageRoute(lists, family, (platform) => groupUsage.of(platform)),
  replaceRoute(lists, family),
  deleteRoute(lists, family, {
    summary: 'Deletes a list and removes its members',
    errors: [IN_USE],
    after: async ({ platform, db, now }, { id }) => {
      await refuseUsedGroup(platform, db, id);
      await removeMembers(db, id);
      await requestComputationsUsing(db, 'groups', now);
    },
  }),
];
