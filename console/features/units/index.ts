import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the list: archived units instead of active ones, and the drawer that is open. */
export type UnitsSearch = { readonly archived?: boolean; readonly new?: boolean; readonly edit?: string };

/** The business units of the tenant. */
export const unitsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/units',
  staticData: { screen: 'units/units', isTenantWide: true },
  validateSearch: ({ archived, new: isNew, edit }): UnitsSearch => ({
    ...(archived === true ? { archived } : {}),
    ...(isNew === true ? { new: isNew } : {}),
    ...(typeof edit === 'string' ? { edit } : {}),
  }),
  loader: () => Promise.all([texts.load(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./units.tsx'), 'Units'),
});

/** Business units. */
export const units: Feature = {
  routes: [unitsRoute],
  navigation: [
    {
      group: 'settings',
      title: { en: 'Business units', de: 'Geschäftseinheiten' },
      icon: 'layers',
      path: 'settings/units',
    },
  ],
  commands: [
    {
      title: { en: 'Create business unit', de: 'Geschäftseinheit anlegen' },
      icon: 'plus',
      path: 'settings/units',
      search: { new: true },
      isForOwners: true,
    },
  ],
};
