import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** The import of a file of subscribers. Its progress and its revert are those of operations. */
export const importRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/import',
  staticData: { screen: 'imports/import' },
  loader: () => texts.load(),
  component: lazyRouteComponent(() => import('./import.tsx'), 'ImportScreen'),
});

/** Imports of subscribers from files. */
export const imports: Feature = {
  routes: [importRoute],
  commands: [
    {
      title: { en: 'Import subscribers', de: 'Abonnenten importieren' },
      icon: 'users',
      keywords: { en: 'upload CSV Excel spreadsheet', de: 'hochladen CSV Excel Tabelle' },
      path: 'subscribers/import',
    },
  ],
};
