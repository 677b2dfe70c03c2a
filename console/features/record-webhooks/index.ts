import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the list. */
export type RecordWebhooksSearch = { readonly new?: boolean };

/** The webhooks that receive changes of records. */
export const recordWebhooksRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'connections/record-changes',
  staticData: { screen: 'record-webhooks/record-webhooks', isTenantWide: true },
  validateSearch: ({ new: isNew }): RecordWebhooksSearch => (isNew === true ? { new: isNew } : {}),
  loader: () => Promise.all([texts.load(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./record-webhooks.tsx'), 'RecordWebhooks'),
});

/** Record webhooks, which tell another system about changes of records. */
export const recordWebhooks: Feature = {
  routes: [recordWebhooksRoute],
  navigation: [
    {
      group: 'connections',
      title: { en: 'Record changes', de: 'Datensatz-Änderungen' },
      icon: 'database',
      path: 'connections/record-changes',
      isForOwners: true,
    },
  ],
  commands: [
    {
      title: { en: 'Add record webhook', de: 'Webhook für Datensätze hinzufügen' },
      icon: 'plus',
      keywords: { en: 'entity hook callback', de: 'Entität Hook Callback' },
      path: 'connections/record-changes',
      search: { new: true },
      isForOwners: true,
    },
  ],
};
