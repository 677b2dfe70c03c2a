import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Settings of the whole tenant: name, language, time zone, sessions, brand. */
export const tenantSettings: Feature = {
  routes: [
    createRoute({
      getParentRoute: () => tenantRoute,
      path: 'settings',
      staticData: { screen: 'tenant-settings/tenant-settings', isTenantWide: true },
      loader: () => Promise.all([texts.load(), draftTexts.load()]),
      component: lazyRouteComponent(() => import('./tenant-settings.tsx'), 'TenantSettings'),
    }),
  ],
  navigation: [
    { group: 'settings', title: { en: 'General', de: 'Allgemein' }, icon: 'settings', path: 'settings' },
  ],
};
