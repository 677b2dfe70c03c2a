import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { historyTexts } from '../../history/texts.ts';
import { kindTexts } from '../../kinds/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { texts } from './texts.ts';

/** Query parameters of the list of changes. */
export type ActivitySearch = { readonly filter?: string };

/** Changes by members and operators, newest first. */
export const activityRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'activity',
  staticData: { screen: 'activity/activity' },
  validateSearch: ({ filter }): ActivitySearch =>
    typeof filter === 'string' && filter !== '' ? { filter } : {},
  loader: () => Promise.all([texts.load(), historyTexts.load(), kindTexts.load(), loadTableTexts()]),
  component: lazyRouteComponent(() => import('./activity.tsx'), 'Activity'),
});

/** Changes of records with their authors. */
export const activity: Feature = {
  routes: [activityRoute],
  navigation: [
    { group: 'overview', title: { en: 'Activity', de: 'Aktivität' }, icon: 'activity', path: 'activity' },
  ],
  commands: [
    {
      title: { en: 'See what has changed', de: 'Änderungen ansehen' },
      icon: 'activity',
      keywords: { en: 'activity history audit log who', de: 'Aktivität Verlauf Protokoll wer' },
      path: 'activity',
    },
  ],
};
