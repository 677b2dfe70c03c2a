import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { kindTexts } from '../../kinds/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the search: the text. */
export type RecordSearch = { readonly q?: string };

/** Records of all kinds that match a text. */
export const searchRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'search',
  staticData: { screen: 'search/search' },
  // A text of digits is a number in the URL.
  validateSearch: ({ q }): RecordSearch => {
    const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
    return text === '' ? {} : { q: text };
  },
  loader: () => Promise.all([texts.load(), kindTexts.load()]),
  component: lazyRouteComponent(() => import('./search.tsx'), 'Search'),
});

/** The search in all kinds of record. */
export const search: Feature = {
  routes: [searchRoute],
  commands: [
    {
      title: { en: 'Search all records', de: 'Alle Einträge durchsuchen' },
      icon: 'search',
      keywords: { en: 'find id code email address', de: 'finden ID Code E-Mail Adresse' },
      path: 'search',
    },
  ],
};
