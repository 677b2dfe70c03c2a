import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { historyTexts } from '../../history/texts.ts';
import { kindTexts } from '../../kinds/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of a record's history: the version to compare. */
export type RecordHistorySearch = { readonly version?: number };

/** The history of one record of any kind, also of a deleted one. */
export const recordHistoryRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'activity/$kind/$key',
  staticData: { screen: 'record-history/record-history' },
  validateSearch: ({ version }): RecordHistorySearch =>
    typeof version === 'number' && Number.isSafeInteger(version) ? { version } : {},
  loader: () => Promise.all([texts.load(), historyTexts.load(), kindTexts.load(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./record-history.tsx'), 'RecordHistory'),
});

/** The history of records whose kind has no screen with a history of its own. */
export const recordHistory: Feature = { routes: [recordHistoryRoute] };
