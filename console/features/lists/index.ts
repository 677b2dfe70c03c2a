import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { type HistorySearch, readHistorySearch } from '../../history/history-search.ts';
import { historyTexts } from '../../history/texts.ts';
import { kindTexts } from '../../kinds/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { readTableSearch, type TableSearch } from '../../table/table-search.ts';
import { usageTexts } from '../../usage/texts.ts';
import { listFields } from './list-draft.ts';
import { texts } from './texts.ts';

/** Query parameters of the table of lists. */
export type ListsSearch = TableSearch & { readonly new?: boolean };

/** Query parameters of a list. */
export type ListSearch = HistorySearch & { readonly edit?: boolean };

/** The lists of subscribers, with the drawer for a new one. */
export const listsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/lists',
  staticData: { screen: 'lists/lists' },
  validateSearch: (raw): ListsSearch => ({
    ...readTableSearch(raw),
    ...(raw.new === true ? { new: true } : {}),
  }),
  loader: () => Promise.all([texts.load(), loadTableTexts(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./lists.tsx'), 'Lists'),
});

/** One list, with the drawers that change it and show its history. */
export const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/lists/$listId',
  staticData: { screen: 'lists/list' },
  validateSearch: (raw): ListSearch => ({
    ...readHistorySearch(raw),
    ...(raw.edit === true ? { edit: true } : {}),
  }),
  loader: () =>
    Promise.all([texts.load(), draftTexts.load(), historyTexts.load(), kindTexts.load(), usageTexts.load()]),
  component: lazyRouteComponent(() => import('./list.tsx'), 'ListScreen'),
});

/** Lists, which group subscribers by hand. */
export const lists: Feature = {
  routes: [listsRoute, listRoute],
  records: [
    {
      kind: 'marketing_list',
      pathOf: (id) => `subscribers/lists/${id}`,
      hasHistory: true,
      loadFields: async () => {
        await texts.load();
        return listFields();
      },
    },
  ],
  navigation: [
    {
      group: 'people',
      title: { en: 'Lists', de: 'Listen' },
      icon: 'list-checks',
      path: 'subscribers/lists',
    },
  ],
  commands: [
    {
      title: { en: 'Create list', de: 'Liste anlegen' },
      icon: 'plus',
      keywords: { en: 'group subscribers', de: 'Gruppe Abonnenten' },
      path: 'subscribers/lists',
      search: { new: true },
    },
  ],
};
