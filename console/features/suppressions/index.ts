import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bulkTexts } from '../../bulk-actions/texts.ts';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { readTableSearch, type TableSearch } from '../../table/table-search.ts';
import { texts } from './texts.ts';

/** Query parameters of the list of suppressions. */
export type SuppressionsSearch = TableSearch & { readonly new?: boolean; readonly import?: boolean };

/** The suppressions of the tenant, with the drawers that add one and import a file. */
export const suppressionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/suppressions',
  staticData: { screen: 'suppressions/suppressions', isTenantWide: true },
  validateSearch: (raw): SuppressionsSearch => ({
    ...readTableSearch(raw),
    ...(raw.new === true ? { new: true } : {}),
    ...(raw.import === true ? { import: true } : {}),
  }),
  loader: () => Promise.all([texts.load(), loadTableTexts(), draftTexts.load(), bulkTexts.load()]),
  component: lazyRouteComponent(() => import('./suppressions.tsx'), 'Suppressions'),
});

/** Suppressions: addresses that get no mail. */
export const suppressions: Feature = {
  routes: [suppressionsRoute],
  navigation: [
    {
      group: 'people',
      title: { en: 'Suppressions', de: 'Sperren' },
      icon: 'shield',
      path: 'subscribers/suppressions',
    },
  ],
  commands: [
    {
      title: { en: 'Suppress address', de: 'Adresse sperren' },
      icon: 'shield',
      keywords: { en: 'suppression block bounce unsubscribe', de: 'Sperre blockieren abbestellen' },
      path: 'subscribers/suppressions',
      search: { new: true },
    },
    {
      title: { en: 'Import suppressions', de: 'Sperren importieren' },
      icon: 'shield',
      keywords: { en: 'suppression file CSV upload', de: 'Sperre Datei CSV hochladen' },
      path: 'subscribers/suppressions',
      search: { import: true },
    },
  ],
};
