import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bulkTexts } from '../../bulk-actions/texts.ts';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { type HistorySearch, readHistorySearch } from '../../history/history-search.ts';
import { historyTexts } from '../../history/texts.ts';
import { peopleTexts } from '../../people/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { readTableSearch, type TableSearch } from '../../table/table-search.ts';
import { subscriberFields } from './subscriber-draft.ts';
import { texts } from './texts.ts';
import { readTimelineSearch } from './timeline-search.ts';

/** Query parameters of the list of subscribers. */
export type SubscribersSearch = TableSearch & { readonly new?: boolean };

/** Query parameters of a subscriber. */
export type SubscriberSearch = HistorySearch & { readonly edit?: boolean };

/** The list of subscribers, with the drawer for a new one. */
export const subscribersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers',
  staticData: { screen: 'subscribers/subscribers' },
  validateSearch: (raw): SubscribersSearch => ({
    ...readTableSearch(raw),
    ...(raw.new === true ? { new: true } : {}),
  }),
  loader: () =>
    Promise.all([texts.load(), peopleTexts.load(), loadTableTexts(), draftTexts.load(), bulkTexts.load()]),
  component: lazyRouteComponent(() => import('./subscribers.tsx'), 'Subscribers'),
});

/** One subscriber, with the drawers that change it and show its history. */
export const subscriberRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/$subscriberId',
  staticData: { screen: 'subscribers/subscriber' },
  validateSearch: (raw): SubscriberSearch => ({
    ...readHistorySearch(raw),
    ...(raw.edit === true ? { edit: true } : {}),
  }),
  loader: () => Promise.all([texts.load(), draftTexts.load(), historyTexts.load()]),
  component: lazyRouteComponent(() => import('./subscriber.tsx'), 'SubscriberScreen'),
});

/** The answer whether a subscriber gets mail. */
export const reachRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/$subscriberId/reach',
  staticData: { screen: 'subscribers/reach' },
  loader: () => Promise.all([texts.load(), draftTexts.load(), historyTexts.load()]),
  component: lazyRouteComponent(() => import('./reach.tsx'), 'ReachScreen'),
});

/** The timeline of a subscriber. */
export const timelineRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/$subscriberId/timeline',
  staticData: { screen: 'subscribers/timeline' },
  validateSearch: readTimelineSearch,
  loader: () => Promise.all([texts.load(), draftTexts.load(), historyTexts.load()]),
  component: lazyRouteComponent(() => import('./timeline.tsx'), 'TimelineScreen'),
});

/** Subscribers: the people who get mail. */
export const subscribers: Feature = {
  routes: [subscribersRoute, subscriberRoute, timelineRoute, reachRoute],
  records: [
    {
      kind: 'marketing_subscriber',
      pathOf: (id) => `subscribers/${id}`,
      hasHistory: true,
      loadFields: async () => {
        await texts.load();
        return subscriberFields();
      },
    },
  ],
  navigation: [
    {
      group: 'people',
      title: { en: 'Subscribers', de: 'Abonnenten' },
      icon: 'user',
      path: 'subscribers',
    },
  ],
  commands: [
    {
      title: { en: 'Add subscriber', de: 'Abonnent hinzufügen' },
      icon: 'user-plus',
      keywords: { en: 'contact person recipient', de: 'Kontakt Person Empfänger' },
      path: 'subscribers',
      search: { new: true },
    },
  ],
};
