import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { rootRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';

/** The page that shows all components in all their states, for developers. */
export const parts: Feature = {
  routes: [
    createRoute({
      getParentRoute: () => rootRoute,
      path: 'dev/parts',
      beforeLoad: () => {
        // The server marks its page if its environment is `Local`.
        if (!('development' in document.documentElement.dataset)) throw notFound();
      },
      loader: () => Promise.all([draftTexts.load(), loadTableTexts()]),
      staticData: { screen: 'parts/parts' },
      component: lazyRouteComponent(() => import('./parts.tsx'), 'Parts'),
    }),
  ],
};
