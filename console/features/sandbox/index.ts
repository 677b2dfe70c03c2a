import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Sandbox: mail goes only to recipients that are allowed, such as the own team. */
export const sandbox: Feature = {
  routes: [
    createRoute({
      getParentRoute: () => tenantRoute,
      path: 'settings/sandbox',
      staticData: { screen: 'sandbox/sandbox', isTenantWide: true },
      loader: () => Promise.all([texts.load(), draftTexts.load()]),
      component: lazyRouteComponent(() => import('./sandbox.tsx'), 'Sandbox'),
    }),
  ],
  navigation: [
    {
      group: 'settings',
      title: { en: 'Sandbox', de: 'Sandbox' },
      icon: 'flask-conical',
      path: 'settings/sandbox',
    },
  ],
};
