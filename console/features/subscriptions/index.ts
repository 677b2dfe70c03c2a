import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the screen: the id of the type whose fields are shown. */
export type SubscriptionsSearch = { readonly edit?: string };

/** The subscription types of the tenant, and the page on which recipients choose among them. */
export const subscriptionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/subscriptions',
  staticData: { screen: 'subscriptions/subscriptions', isTenantWide: true },
  validateSearch: ({ edit }): SubscriptionsSearch => (edit === undefined ? {} : { edit: String(edit) }),
  loader: () => Promise.all([texts.load(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./subscriptions.tsx'), 'Subscriptions'),
});

/** Subscription types: the kinds of mail that recipients choose among. */
export const subscriptions: Feature = {
  routes: [subscriptionsRoute],
  navigation: [
    {
      group: 'settings',
      title: { en: 'Subscriptions', de: 'Abonnements' },
      icon: 'list-checks',
      path: 'settings/subscriptions',
    },
  ],
};
