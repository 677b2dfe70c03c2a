import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { filterTexts } from '../../filters/texts.ts';
import { type HistorySearch, readHistorySearch } from '../../history/history-search.ts';
import { historyTexts } from '../../history/texts.ts';
import { kindTexts } from '../../kinds/texts.ts';
import { peopleTexts } from '../../people/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { readTableSearch, type TableSearch } from '../../table/table-search.ts';
import { usageTexts } from '../../usage/texts.ts';
import { audienceFields } from './audience-draft.ts';
import { texts } from './texts.ts';

/** Query parameters of the table of audiences. */
export type AudiencesSearch = TableSearch & { readonly new?: boolean };

/** Query parameters of an audience. */
export type AudienceSearch = HistorySearch & {
  readonly edit?: boolean;
  /** Subscriber whose membership is explained. */
  readonly explain?: string;
};

/** The audiences, with the drawer for a new one. */
export const audiencesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/audiences',
  staticData: { screen: 'audiences/audiences' },
  validateSearch: (raw): AudiencesSearch => ({
    ...readTableSearch(raw),
    ...(raw.new === true ? { new: true } : {}),
  }),
  loader: () => Promise.all([texts.load(), peopleTexts.load(), loadTableTexts(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./audiences.tsx'), 'Audiences'),
});

/** One audience, with the drawers that change it and show its history. */
export const audienceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'subscribers/audiences/$audienceId',
  staticData: { screen: 'audiences/audience' },
  validateSearch: (raw): AudienceSearch => ({
    ...readHistorySearch(raw),
    ...(raw.edit === true ? { edit: true } : {}),
    ...(typeof raw.explain === 'string' ? { explain: raw.explain } : {}),
  }),
  loader: () =>
    Promise.all([
      texts.load(),
      peopleTexts.load(),
      filterTexts.load(),
      draftTexts.load(),
      historyTexts.load(),
      kindTexts.load(),
      usageTexts.load(),
    ]),
  component: lazyRouteComponent(() => import('./audience.tsx'), 'AudienceScreen'),
});

/** Audiences, which group subscribers by conditions. */
export const audiences: Feature = {
  routes: [audiencesRoute, audienceRoute],
  records: [
    {
      kind: 'marketing_audience',
      pathOf: (id) => `subscribers/audiences/${id}`,
      hasHistory: true,
      loadFields: async () => {
        await texts.load();
        return audienceFields();
      },
    },
  ],
  navigation: [
    {
      group: 'people',
      title: { en: 'Audiences', de: 'Zielgruppen' },
      icon: 'users',
      path: 'subscribers/audiences',
    },
  ],
  commands: [
    {
      title: { en: 'Create audience', de: 'Zielgruppe anlegen' },
      icon: 'plus',
      keywords: { en: 'segment filter subscribers', de: 'Segment Filter Abonnenten' },
      path: 'subscribers/audiences',
      search: { new: true },
    },
  ],
};
