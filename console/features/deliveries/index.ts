import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bulkTexts } from '../../bulk-actions/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { tableOptions } from '../../table/table-options.ts';
import { texts } from './texts.ts';

/** The deliveries of all webhooks. */
export const deliveriesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'connections/deliveries',
  staticData: { screen: 'deliveries/deliveries' },
  ...tableOptions(texts, bulkTexts),
  component: lazyRouteComponent(() => import('./deliveries.tsx'), 'Deliveries'),
});

/** One delivery: what was sent, and what the receiver answered each time. */
export const deliveryRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'connections/deliveries/$deliveryId',
  staticData: { screen: 'deliveries/delivery' },
  loader: () => texts.load(),
  component: lazyRouteComponent(() => import('./delivery.tsx'), 'DeliveryScreen'),
});

/** Deliveries of webhooks, which can be inspected and sent again. */
export const deliveries: Feature = {
  routes: [deliveriesRoute, deliveryRoute],
  records: [{ kind: 'webhook_delivery', pathOf: (id) => `connections/deliveries/${id}` }],
  navigation: [
    {
      group: 'connections',
      title: { en: 'Deliveries', de: 'Zustellungen' },
      icon: 'scroll-text',
      path: 'connections/deliveries',
    },
  ],
  commands: [
    {
      title: { en: 'Show failed deliveries', de: 'Misslungene Zustellungen zeigen' },
      icon: 'scroll-text',
      keywords: { en: 'webhook retry resend error', de: 'Webhook wiederholen erneut Fehler' },
      path: 'connections/deliveries',
      search: { filter: 'status is failed' },
    },
  ],
};
