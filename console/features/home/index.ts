import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { operationTexts } from '../../operations/texts.ts';
import { overviewTexts } from '../../overview/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** The first screen of a tenant. */
export const home: Feature = {
  routes: [
    createRoute({
      getParentRoute: () => tenantRoute,
      path: '/',
      loader: () => Promise.all([texts.load(), overviewTexts.load(), operationTexts.load()]),
      staticData: { screen: 'home/home' },
      component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
    }),
  ],
  navigation: [{ group: 'overview', title: { en: 'Home', de: 'Start' }, icon: 'house', path: '' }],
};
