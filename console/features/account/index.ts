import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { rootRoute } from '../../routes.ts';
import { texts } from './texts.ts';

const common = {
  getParentRoute: () => rootRoute,
  loader: () => Promise.all([texts.load(), draftTexts.load()]),
};

/** The user's own account: profile, and password with the signed-in browsers. */
export const account: Feature = {
  routes: [
    createRoute({
      ...common,
      path: 'account',
      staticData: { screen: 'account/profile' },
      component: lazyRouteComponent(() => import('./profile.tsx'), 'Profile'),
    }),
    createRoute({
      ...common,
      path: 'account/security',
      staticData: { screen: 'account/security' },
      component: lazyRouteComponent(() => import('./security.tsx'), 'Security'),
    }),
  ],
};
