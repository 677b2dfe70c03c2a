import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { webhookTestTexts } from '../../webhook-tests/texts.ts';
import { texts } from './texts.ts';

/** Query parameters of the list: the drawer that is open, for a new webhook or for the one with this name. */
export type EventWebhooksSearch = { readonly new?: boolean; readonly edit?: string };

/** The webhooks that receive events of the tenant's mail. */
export const eventWebhooksRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'connections/email-events',
  staticData: { screen: 'event-webhooks/event-webhooks', isTenantWide: true },
  validateSearch: ({ new: isNew, edit }): EventWebhooksSearch => ({
    ...(isNew === true ? { new: isNew } : {}),
    ...(typeof edit === 'string' ? { edit } : {}),
  }),
  loader: () => Promise.all([texts.load(), draftTexts.load(), webhookTestTexts.load()]),
  component: lazyRouteComponent(() => import('./event-webhooks.tsx'), 'EventWebhooks'),
});

/** Event webhooks, which tell another system what becomes of the tenant's mail. */
export const eventWebhooks: Feature = {
  routes: [eventWebhooksRoute],
  navigation: [
    {
      group: 'connections',
      title: { en: 'Email events', de: 'E-Mail-Ereignisse' },
      icon: 'mail',
      path: 'connections/email-events',
    },
  ],
  commands: [
    {
      title: { en: 'Add event webhook', de: 'Webhook für Ereignisse hinzufügen' },
      icon: 'plus',
      keywords: { en: 'bounce open click hook callback', de: 'Bounce Öffnung Klick Hook Callback' },
      path: 'connections/email-events',
      search: { new: true },
    },
  ],
};
