import { AppError } from '../../errors/app-error.ts';
import type { Route } from '../../http/route.ts';
import { listRoute } from '../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../resources/routes.ts';
import { IN_USE } from './errors.ts';
import { emptyGroup } from './members.ts';
import { audiences, lists } from './resource.ts';
import { isGroupInUse } from './uses.ts';

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
      errors: [IN_USE],
      after: async (ctx, { id }) => {
        if (await isGroupInUse(ctx.platform, ctx.db, id)) throw new AppError(IN_USE);
        await emptyGroup(ctx.db, id);
      },
    }),
  ];
}
