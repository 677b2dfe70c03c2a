import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { rootRoute } from '../../routes.ts';

/** The page that shows all components in all their states. */
export const parts: Feature = {
  routes: [
    createRoute({
      getParentRoute: () => rootRoute,
      path: 'dev/parts',
      component: lazyRouteComponent(() => import('./parts.tsx'), 'Parts'),
    }),
  ],
};
