import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { operationTexts } from '../../operations/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { tableOptions } from '../../table/table-options.ts';
import { texts } from './texts.ts';

/** Operations that the user has started; for owners, all of the tenant. */
export const operationsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'operations',
  staticData: { screen: 'operations/operations', isTenantWide: true },
  ...tableOptions(texts, operationTexts),
  component: lazyRouteComponent(() => import('./operations.tsx'), 'Operations'),
});

/** One operation with its results. */
export const operationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'operations/$operationId',
  staticData: { screen: 'operations/operation', isTenantWide: true },
  loader: () => Promise.all([texts.load(), operationTexts.load()]),
  component: lazyRouteComponent(() => import('./operation.tsx'), 'OperationScreen'),
});

/** Long operations, which can be watched, cancelled and reverted. */
export const operations: Feature = {
  routes: [operationsRoute, operationRoute],
  navigation: [
    {
      group: 'overview',
      title: { en: 'Operations', de: 'Vorgänge' },
      icon: 'clock',
      path: 'operations',
    },
  ],
  commands: [
    {
      title: { en: 'Show what is running', de: 'Zeigen, was läuft' },
      icon: 'clock',
      keywords: {
        en: 'operation import export progress cancel revert',
        de: 'Vorgang Import Export Fortschritt abbrechen zurücknehmen',
      },
      path: 'operations',
      search: { filter: 'status is running' },
    },
  ],
};
