import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the list. */
export type KeysSearch = { readonly page?: number; readonly new?: boolean };

/** The API keys of the tenant. */
export const keysRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'connections/keys',
  staticData: { screen: 'keys/keys', isTenantWide: true },
  validateSearch: ({ page, new: isNew }): KeysSearch => ({
    ...(typeof page === 'number' && page > 1 ? { page } : {}),
    ...(isNew === true ? { new: isNew } : {}),
  }),
  loader: () => Promise.all([texts.load(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./keys.tsx'), 'Keys'),
});

/** API keys. */
export const keys: Feature = {
  routes: [keysRoute],
  navigation: [
    {
      group: 'connections',
      title: { en: 'API keys', de: 'API-Schlüssel' },
      icon: 'key-round',
      path: 'connections/keys',
      isForOwners: true,
    },
  ],
  commands: [
    {
      title: { en: 'Create API key', de: 'API-Schlüssel anlegen' },
      icon: 'plus',
      keywords: { en: 'token credential secret', de: 'Token Zugangsdaten' },
      path: 'connections/keys',
      search: { new: true },
      isForOwners: true,
    },
  ],
};
