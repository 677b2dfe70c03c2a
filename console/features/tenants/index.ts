import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { rootRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** The first screen: the tenants of the user, or the only one. */
export const tenants: Feature = {
  routes: [
    createRoute({
      getParentRoute: () => rootRoute,
      path: '/',
      loader: () => texts.load(),
      staticData: { screen: 'tenants/tenants' },
      component: lazyRouteComponent(() => import('./tenants.tsx'), 'Tenants'),
    }),
  ],
};
