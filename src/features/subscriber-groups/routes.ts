import type { Route } from '../../http/route.ts';
import { listRoute } from '../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../resources/routes.ts';
import { emptyGroup } from './members.ts';
import { audiences, lists } from './resource.ts';

/** Lists and audiences (docs/specification/subscribers.md#lists-and-audiences). */
export const routes: readonly Route[] = [
  ...groupRoutes(lists, '/api/lists', 'list'),
  ...groupRoutes(audiences, '/api/audiences', 'audience'),
];

function groupRoutes(groups: typeof lists, path: string, noun: string): Route[] {
  const family = { path, id: `${noun}s`, tag: 'Lists and audiences', noun };
  return [
    createRoute(groups, family),
    listRoute(groups, family),
    getRoute(groups, family),
    replaceRoute(groups, family),
    deleteRoute(groups, family, {
      summary: `Deletes ${noun === 'list' ? 'a list' : 'an audience'}; nobody is in it any more`,
      after: (ctx, { id }) => emptyGroup(ctx.db, id),
    }),
  ];
}
